import {
  PROTOCOL_VERSION,
  type AgentEvent,
  type AgentLog,
  type Bye,
  type Deep,
  type Hello,
  type Layout,
  type Step,
} from '../../protocol/frames';
import type { LayerId, LayoutId } from '../../protocol/ids';
import { MAX_LAYERS } from '../../protocol/limits';
import { MalformedBlob, type Blob } from '../../protocol/safetensors';
import type {
  ReceivedDeep,
  ReceivedFrame,
  ReceivedLayout,
  ReceivedStep,
} from '../frames/receivedFrame';
import { SlotIndex } from '../frames/slotIndex';
import { Fields } from './fields';
import { parseDeep, parseDeepTaps } from './parseDeep';
import { parseLayout } from './parseLayout';
import { parseQuestion } from './parseQuestion';
import { parseStep, parseStepTensors } from './parseStep';

const EVENTS = [
  'no-norm-layer',
  'no-optimizer-step',
  'too-many-layers',
  'hook-failed',
  'unsupported',
  'breakpoint-unanswered',
] as const satisfies readonly AgentEvent['event'][];
const LEVELS = [
  'debug',
  'info',
  'warning',
  'error',
] as const satisfies readonly AgentLog['level'][];

/** Last instant that a Date can hold, in milliseconds since 1970. */
const MAX_TIME = 8.64e15;
const MAX_RANKS = 2 ** 31;

function parseHello(fields: Fields): Hello {
  const protocol = fields.count('protocol');
  if (protocol !== PROTOCOL_VERSION) {
    throw new MalformedBlob(
      `The agent in the program speaks version ${protocol} of the protocol, this NormScope version ` +
        `${PROTOCOL_VERSION}; restart the program under the debugger to use the agent that fits.`,
    );
  }
  return {
    kind: 'hello',
    protocol,
    agent: fields.choice('agent', ['python', 'node'], 'python'),
    framework: fields.choice('framework', ['torch', 'tfjs'], 'torch'),
    frameworkVersion: fields.text('frameworkVersion'),
    backend: fields.text('backend'),
    runtimeVersion: fields.text('runtimeVersion'),
    pid: fields.count('pid'),
    program: fields.text('program'),
    startedAt: Math.min(MAX_TIME, Math.max(0, fields.number('startedAt'))),
    rank: fields.count('rank', MAX_RANKS),
    worldSize: fields.count('worldSize', MAX_RANKS),
  };
}

function parseEvent(fields: Fields): AgentEvent {
  return {
    kind: 'event',
    event: fields.choice('event', EVENTS, 'unsupported'),
    message: fields.text('message'),
  };
}

function parseLog(fields: Fields): AgentLog {
  return {
    kind: 'log',
    level: fields.choice('level', LEVELS, 'info'),
    message: fields.text('message'),
  };
}

function parseBye(fields: Fields): Bye {
  return {
    kind: 'bye',
    steps: fields.count('steps'),
    sent: fields.count('sent'),
    dropped: fields.count('dropped'),
    skipped: fields.count('skipped'),
    errors: fields.count('errors'),
  };
}

/**
 * Validates the frames of one connection (or trace) in their order. Everything it returns is
 * bounded and consistent: text is cut, offsets lie in the block, tensors have the layout's lengths.
 */
export class AgentFrameParser {
  private greeted = false;
  private readonly layouts = new Map<LayoutId, SlotIndex>();
  private newest: SlotIndex | undefined;
  private readonly announced = new Set<LayerId>();

  /** Layouts that a later step may still refer to. */
  private static readonly keptLayouts = 8;

  /**
   * @returns undefined for a kind that is not known here.
   * @throws MalformedBlob with a sentence that says what is wrong.
   */
  parse(blob: Blob): ReceivedFrame | undefined {
    if (!this.greeted && blob.kind !== 'hello') {
      throw new MalformedBlob('The first frame of a connection is not a "hello".');
    }
    switch (blob.kind) {
      case 'hello':
        if (this.greeted) throw new MalformedBlob('A connection sent a second "hello".');
        this.greeted = true;
        return parseHello(new Fields('hello frame', blob.body));
      case 'layout':
        return this.layout(parseLayout(new Fields('layout frame', blob.body)));
      case 'step':
        return this.step(parseStep(new Fields('step frame', blob.body)), blob);
      case 'deep':
        return this.deep(parseDeep(new Fields('deep frame', blob.body)), blob);
      case 'event':
        return parseEvent(new Fields('event frame', blob.body));
      case 'log':
        return parseLog(new Fields('log frame', blob.body));
      case 'question':
        return parseQuestion(new Fields('question frame', blob.body));
      case 'stop-over':
        return { kind: 'stop-over' };
      case 'bye':
        return parseBye(new Fields('bye frame', blob.body));
      default:
        return undefined;
    }
  }

  private layout(layout: Layout): ReceivedLayout {
    for (const { id } of layout.layers) this.announced.add(id);
    if (this.announced.size > MAX_LAYERS) {
      throw new MalformedBlob(`The program announced more than ${MAX_LAYERS} layers in all.`);
    }
    const fresh = new SlotIndex(layout);
    const index = this.newest?.equals(fresh) ? this.newest : fresh;
    this.newest = index;
    this.layouts.delete(layout.layoutId);
    this.layouts.set(layout.layoutId, index);
    for (const oldest of this.layouts.keys()) {
      if (this.layouts.size <= AgentFrameParser.keptLayouts) break;
      this.layouts.delete(oldest);
    }
    return { ...layout, index };
  }

  private step(step: Step, blob: Blob): ReceivedStep {
    const index = this.layouts.get(step.layoutId);
    if (!index)
      throw new MalformedBlob(`A step names the layout ${step.layoutId}, which is not known.`);
    return { ...step, index, tensors: parseStepTensors(blob.tensors, index) };
  }
  private deep(deep: Deep, blob: Blob): ReceivedDeep {
    if (!this.announced.has(deep.layer)) {
      throw new MalformedBlob('A deep frame belongs to no layer that was announced.');
    }
    const buffers = new Set(Object.values(blob.tensors).map(({ buffer }) => buffer));
    const bytes = [...buffers].reduce((sum, buffer) => sum + buffer.byteLength, 0);
    return { ...deep, tensors: parseDeepTaps(blob.tensors, deep), bytes };
  }
}
