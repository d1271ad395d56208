import type { AgentCommand } from '../../protocol/commands';
import type { AgentQuestion } from '../../protocol/frames';
import { debugged, Stopper } from './stopping';

/** The extension answers within milliseconds; one that does not must not hold training up. */
const ANSWER_MS = 5_000;
const FIRST_MS = 2_000;
const NO_ANSWER =
  'NormScope did not answer a tensor breakpoint in time, so the program was not stopped; set the ' +
  'breakpoint again.';
const NO_PLACE =
  'The program was not stopped at a tensor breakpoint, because no code of yours goes on behind it; ' +
  'use breakpoints in the code instead.';
const NO_WAY =
  'The program was not stopped at a tensor breakpoint, because its connection to the editor can ' +
  'not be waited for on this system; use breakpoints in the code instead.';

type Asked<Q> = Q extends AgentQuestion ? Omit<Q, 'kind' | 'question'> : never;

/** The connection, as far as questions need it. */
export interface QuestionLine {
  send(question: AgentQuestion): void;
  /** Tells that the last stop that was ordered has been, or will not be. */
  stopOver(): void;
  /** Whether {@link wait} is possible on this system. */
  readonly canWait: boolean;
  /** Sends and receives without the event loop until `done`. */
  wait(done: () => boolean, limitMs: number): void;
  tell(message: string): void;
}

/**
 * Tensor breakpoints: the extension judges, and the program stops where it is. What was measured goes
 * to the extension anyway, which knows rules and conditions; so it is asked, once a captured step,
 * and at once where a tensor holds NaN or infinite values. Without breakpoints nothing is asked.
 */
export class Breakpoints {
  /** Whether to ask when a captured step is over. */
  steps = false;
  /** Whether to look for NaN and infinite values at every tap. */
  nonFinite = false;
  private readonly stopper = new Stopper();
  private readonly answers = new Map<number, boolean>();
  private open: number | undefined;
  private asked = 0;
  private known = false;
  private gone = false;

  constructor(private readonly line: QuestionLine) {}

  obey(command: AgentCommand): void {
    if (command.kind === 'breakpoints') {
      const here = debugged() && !this.gone;
      this.steps = here && command.steps;
      this.nonFinite = here && command.nonFinite;
      this.known = true;
    }
    if (command.kind === 'verdict' && command.question === this.open) {
      this.answers.set(command.question, command.stop);
    }
  }

  /** There is nobody to ask any more. */
  close(): void {
    this.steps = false;
    this.nonFinite = false;
    this.gone = true;
  }

  /**
   * Waits, once and briefly, until it is known what may stop the program; under a debugger only. Else
   * its first steps would run before that is.
   */
  awaitFirst(): void {
    if (!this.known && debugged()) this.line.wait(() => this.known || this.gone, FIRST_MS);
    this.known = true;
  }

  /** Asks and, where the answer is yes, stops the program when the user's code goes on. */
  ask(question: Asked<AgentQuestion>): void {
    if (this.gone || !debugged()) return;
    if (!this.line.canWait) {
      this.giveUp(NO_WAY);
      return;
    }
    const number = this.asked;
    this.asked += 1;
    this.open = number;
    this.line.send({ kind: 'question', question: number, ...question });
    const answered = () => this.answers.has(number) || this.gone;
    this.line.wait(answered, ANSWER_MS);
    this.open = undefined;
    const stop = this.answers.get(number);
    this.answers.clear();
    if (stop === true && !this.stopper.stopBehindCall()) {
      this.line.stopOver();
      this.line.tell(NO_PLACE);
    }
    if (stop === undefined && !this.gone) this.giveUp(NO_ANSWER);
  }

  private giveUp(sentence: string): void {
    this.steps = false;
    this.nonFinite = false;
    this.line.tell(sentence);
  }

  /** Takes away what the last stop has left behind. */
  settle(): void {
    if (this.stopper.settle()) this.line.stopOver();
  }
}
