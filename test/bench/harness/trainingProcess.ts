import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';

/** A program of `programs/` that trains in rounds, asked for and answered by lines of JSON. */
export class TrainingProcess {
  private readonly lines: AsyncIterator<string>;
  private stderr = '';

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    reader: Interface,
  ) {
    this.lines = reader[Symbol.asyncIterator]();
    child.stderr.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString()).slice(-4096);
    });
  }

  /** Resolves when the program is ready. */
  static async start(
    command: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
  ): Promise<TrainingProcess> {
    const child = spawn(command, args, { env, stdio: 'pipe' });
    const training = new TrainingProcess(child, createInterface({ input: child.stdout }));
    await training.answer();
    return training;
  }

  /** Trains some steps and returns the seconds that each took. */
  async round(mode: string, steps: number): Promise<readonly number[]> {
    this.child.stdin.write(`${JSON.stringify({ mode, steps })}\n`);
    const answer = JSON.parse(await this.answer()) as { seconds: readonly number[] };
    return answer.seconds;
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    this.child.stdin.end();
    await ended;
  }

  private async answer(): Promise<string> {
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`The training program ended early:\n${this.stderr}`);
    return String(value);
  }
}
