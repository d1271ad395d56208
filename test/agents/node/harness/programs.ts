import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { bundleAgent } from '../../../../scripts/setup/bundleAgent';
import {
  ADDRESS_VARIABLE,
  CAPTURE_VARIABLE,
  TOKEN_VARIABLE,
  type CaptureSettings,
} from '../../../../extension/protocol/environment';
import type { Collector } from './collector';

const root = path.resolve(import.meta.dirname, '..', '..', '..', '..');
const modules = path.join(root, 'examples', 'tfjs', 'node_modules');

/** Packages that programs use; the tests run on each. */
export const FLAVOURS = ['@tensorflow/tfjs', '@tensorflow/tfjs-node'] as const;
export type Flavour = (typeof FLAVOURS)[number] | '@tensorflow/tfjs-node-gpu';

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly flavour?: Flavour;
  /** Without one, the program runs with no agent. */
  readonly collector?: Collector;
  readonly capture?: Partial<CaptureSettings>;
  readonly args?: readonly string[];
  readonly timeoutMs?: number;
  /** Further Node options, before the agent's. */
  readonly nodeOptions?: string;
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Line of a program of `programs/` that carries a marker, counted from 1. */
export async function lineOf(program: string, marker: string): Promise<number> {
  const file = path.join(import.meta.dirname, '..', 'programs', program);
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.findIndex((line) => line.endsWith(`// LINE ${marker}`)) + 1;
}

/** Says so, instead of skipping, when the packages that the tests run on are not there. */
export function requirePackage(flavour: Flavour): void {
  const folder = path.join(modules, ...flavour.split('/'));
  if (!existsSync(folder)) {
    throw new Error(
      `${flavour} is not installed in examples/tfjs, and the TF.js agent must be tested on it: ` +
        'run the set-up (`npm test` does) and read what it says about the native binding.',
    );
  }
}

/** A folder with the built agent and copies of the test programs, in a path that is hard to quote. */
export class Workshop {
  private constructor(
    readonly folder: string,
    readonly agent: string,
  ) {}

  static async open(): Promise<Workshop> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'norm scope Überprüfung 检查 '));
    await symlink(modules, path.join(folder, 'node_modules'), 'junction');
    const agent = path.join(folder, 'the agent', 'agent.cjs');
    await bundleAgent(agent);
    return new Workshop(folder, agent);
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  /** Copies a program here, made to use the given package. */
  async place(name: string, flavour: Flavour = '@tensorflow/tfjs'): Promise<string> {
    const source = await readFile(path.join(import.meta.dirname, '..', 'programs', name), 'utf8');
    const file = path.join(this.folder, `${flavour.split('/')[1]} ${name}`);
    await writeFile(file, source.replaceAll("'@tensorflow/tfjs'", `'${flavour}'`));
    return file;
  }

  /** Places the one-file build of TensorFlow.js. */
  vendor(name: string): Promise<void> {
    const file = path.join(modules, '@tensorflow', 'tfjs', 'dist', 'tf.min.js');
    return copyFile(file, path.join(this.folder, name));
  }

  /** Variables that load the agent. */
  environment(collector: Collector, options: RunOptions = {}): NodeJS.ProcessEnv {
    const escaped = this.agent.replaceAll('\\', '\\\\');
    return {
      NODE_OPTIONS: `${options.nodeOptions ?? ''} --require "${escaped}" `,
      [ADDRESS_VARIABLE]: collector.address,
      [TOKEN_VARIABLE]: collector.token,
      [CAPTURE_VARIABLE]: JSON.stringify({ budgetPercent: 0, ...options.capture }),
    };
  }

  /** Runs one of `programs/` to its end. */
  async run(name: string, options: RunOptions = {}): Promise<ProgramResult> {
    requirePackage(options.flavour ?? '@tensorflow/tfjs');
    const file = await this.place(name, options.flavour);
    return this.runNode([file, ...(options.args ?? [])], options);
  }

  runNode(args: readonly string[], options: RunOptions = {}): Promise<ProgramResult> {
    return new Promise((resolve, reject) => {
      const { collector, timeoutMs = 90_000 } = options;
      const base: NodeJS.ProcessEnv = {
        ...process.env,
        ...options.env,
        TF_CPP_MIN_LOG_LEVEL: '3',
      };
      delete base['NODE_OPTIONS'];
      const env = collector ? { ...base, ...this.environment(collector, options) } : base;
      const child = spawn(process.execPath, args, { cwd: this.folder, env });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`${args[0]} did not end within ${timeoutMs} ms.\n${stdout}\n${stderr}`));
      }, timeoutMs);
      child.on('error', reject);
      child.on('close', (code) => {
        clearTimeout(timer);
        resolve({ code, stdout, stderr });
      });
    });
  }
}
