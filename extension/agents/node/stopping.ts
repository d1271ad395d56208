import { Session, url, type Debugger } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { frameToStopIn } from './locations';

/** Places in one function where it may be stopped, at most. */
const MOST_PLACES = 300;
/** Places before the call that are looked at, to find those a loop goes back to. */
const MOST_BEFORE = 60;

/** Whether a debugger may be connected to this process: else nobody could go on after a stop. */
export const debugged = (): boolean => url() !== undefined;

type Place = Debugger.BreakLocation;

/** A debugger's commands in this very process, which are carried out before they return. */
class Commands {
  readonly session = new Session();

  constructor() {
    this.session.connect();
  }

  /** Identifiers of what was loaded from a file, the newest last. */
  scriptsOf(file: string): readonly string[] {
    const ids: string[] = [];
    this.session.on('Debugger.scriptParsed', ({ params }) => {
      if (fileOf(params.url) === file) ids.push(params.scriptId);
    });
    this.session.post('Debugger.enable');
    this.session.removeAllListeners('Debugger.scriptParsed');
    return ids;
  }

  places(start: Debugger.Location, own: boolean, end?: Debugger.Location): readonly Place[] {
    let places: readonly Place[] = [];
    const asked = { start, restrictToFunction: own, ...(end ? { end } : {}) };
    this.session.post('Debugger.getPossibleBreakpoints', asked, (error, found) => {
      if (!error) places = found.locations;
    });
    return places;
  }

  /** Undefined where a breakpoint can not be. */
  setBreakpoint({ scriptId, lineNumber, columnNumber = 0 }: Place): string | undefined {
    let id: string | undefined;
    const location = { scriptId, lineNumber, columnNumber };
    this.session.post('Debugger.setBreakpoint', { location }, (error, set) => {
      if (!error) id = set.breakpointId;
    });
    return id;
  }

  end(): void {
    this.session.post('Debugger.disable');
    this.session.disconnect();
  }
}

function fileOf(address: string): string {
  try {
    return address.startsWith('file:') ? fileURLToPath(address) : address;
  } catch {
    return address;
  }
}

const samePlace = (a: Place, b: Place) =>
  a.lineNumber === b.lineNumber && a.columnNumber === b.columnNumber;

/** Places of the function that makes a call, from the call on, and those it may go back to. */
function placesAround(commands: Commands, call: Debugger.Location): readonly Place[] {
  const after = commands.places(call, true).slice(0, MOST_PLACES);
  const [first] = after;
  if (!first) return [];
  const { scriptId, lineNumber, columnNumber = 0 } = first;
  const end = { scriptId, lineNumber, columnNumber: columnNumber + 1 };
  const before = commands
    .places({ scriptId, lineNumber: 0, columnNumber: 0 }, false, call)
    .slice(-MOST_BEFORE)
    .filter((place) => commands.places(place, true, end).some((one) => samePlace(one, first)));
  return [...after, ...before];
}

/**
 * Stops the program in the debugger when the user's code goes on: behind the call that it is in now.
 * Breakpoints of our own, all over the calling function, do that: whichever is met first takes all
 * of them away. The debugger that is connected is told of the pause like of any other.
 */
export class Stopper {
  private commands: Commands | undefined;
  private met = false;
  /** Steps that ended since. */
  private steps = 0;

  /** @returns whether the program is going to stop. */
  stopBehindCall(): boolean {
    this.end();
    const frame = frameToStopIn();
    const line = frame?.getLineNumber();
    if (!frame || !line || !debugged()) return false;
    const commands = new Commands();
    this.commands = commands;
    const scriptId = commands.scriptsOf(fileOf(frame.getFileName() ?? '')).at(-1);
    if (scriptId === undefined) {
      this.end();
      return false;
    }
    const columnNumber = Math.max(0, (frame.getColumnNumber() ?? 1) - 1);
    const places = placesAround(commands, { scriptId, lineNumber: line - 1, columnNumber });
    const ids = places.flatMap((place) => commands.setBreakpoint(place) ?? []);
    commands.session.on('Debugger.paused', ({ params }) => {
      // It pauses for others, too.
      if (!params.hitBreakpoints?.some((id) => ids.includes(id))) return;
      this.met = true;
      for (const breakpointId of ids.splice(0)) {
        commands.session.post('Debugger.removeBreakpoint', { breakpointId });
      }
    });
    if (ids.length === 0) this.end();
    return ids.length > 0;
  }

  /**
   * To be called once a step. Leaves nothing behind once the program has stopped and runs again, or
   * has left the function another way, as by an exception.
   *
   * @returns whether a stop that was to come is over with this
   */
  settle(): boolean {
    this.steps += 1;
    if (!this.commands || !(this.met || this.steps > 1)) return false;
    this.end();
    return true;
  }

  private end(): void {
    this.commands?.end();
    this.commands = undefined;
    this.met = false;
    this.steps = 0;
  }
}
