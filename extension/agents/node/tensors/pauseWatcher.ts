import { Session, type Debugger } from 'node:inspector';
import { debugged } from '../stopping';
import type { ClassLike } from '../tfjs';

/** The scopes nearest to the line where the program is paused, and tensors in them, at most. */
const MOST_SCOPES = 6;
const MOST_TENSORS = 64;
const LONGEST_MS = 200;

/** The name under which the debugger knows objects of a class. */
const nameOf = ({ prototype }: ClassLike) => prototype.constructor.name;

/**
 * Reads the tensors of the function in which the program is paused, before the debugger shows its
 * variables: for these it only takes texts that are there already, since it runs nothing that may
 * have an effect, as reading a native tensor has in its eyes.
 */
export class PauseWatcher {
  private session: Session | undefined;
  private readonly names = new Set<string>();
  private readonly declaration: string;

  /** @param began called at each pause, before anything is read. */
  constructor(
    description: symbol,
    private readonly began: () => void,
  ) {
    const key = JSON.stringify(Symbol.keyFor(description));
    this.declaration = `function () { return this[Symbol.for(${key})](); }`;
  }

  /** Reads objects of these classes, too, from now on; in a debugged program only. */
  watch(classes: readonly ClassLike[]): void {
    for (const one of classes) this.names.add(nameOf(one));
    if (this.session || !debugged()) return;
    const session = new Session();
    this.session = session;
    session.connect();
    session.on('Debugger.paused', ({ params }) => {
      try {
        this.began();
        this.read(session, params.callFrames[0]);
      } catch {
        // The debugger's own texts stay.
      }
    });
    session.post('Debugger.enable');
  }

  private read(session: Session, frame: Debugger.CallFrame | undefined): void {
    const scopes = frame?.scopeChain.filter(({ type }) => type !== 'global') ?? [];
    const deadline = performance.now() + LONGEST_MS;
    const objects = scopes
      .slice(0, MOST_SCOPES)
      .flatMap(({ object }) => this.tensorsIn(session, object.objectId))
      .slice(0, MOST_TENSORS);
    for (const objectId of objects) {
      if (performance.now() > deadline) return;
      const asked = { objectId, functionDeclaration: this.declaration, silent: true };
      session.post('Runtime.callFunctionOn', asked, () => undefined);
    }
  }

  /** Handles of the tensors in one scope. */
  private tensorsIn(session: Session, objectId: string | undefined): readonly string[] {
    const found: string[] = [];
    if (objectId === undefined) return found;
    session.post('Runtime.getProperties', { objectId, ownProperties: true }, (error, answer) => {
      if (error) return;
      for (const { value } of answer.result) {
        const ours = value?.className !== undefined && this.names.has(value.className);
        if (ours && value.objectId !== undefined) found.push(value.objectId);
      }
    });
    return found;
  }
}
