/** The scope “Norm Layers” on its own: what a client asks, and what the adapter never hears of. */
import { describe, expect, test } from 'vitest';
import type { Link } from '../../extension/debug/interposer/delegate';
import { isRecord, type Message } from '../../extension/debug/interposer/messages';
import { normLayersScope, type LayerRow } from '../../extension/debug/interposer/normLayersScope';
import { english } from '../../extension/debug/interposer/sentences';

function chain(rows: () => readonly LayerRow[] | undefined) {
  const toClient: Message[] = [];
  const link: Link = {
    toClient: (message) => void toClient.push(message),
    toAdapter: () => undefined,
    ask: () => Promise.reject(new Error('not asked here')),
    pending: () => [],
    endAdapter: () => undefined,
    notice: () => undefined,
    t: english,
  };
  const options = {
    upstream: { kind: 'connect', host: '', port: 1 },
    normLayers: { rows },
  } as const;
  const delegate = normLayersScope(options)(link);
  let seq = 0;
  /** What goes on to the adapter, and what the client is answered. */
  const ask = (command: string, args: object, answer: object = {}) => {
    const request = { seq: ++seq, type: 'request', command, arguments: args } as const;
    const passed = delegate.fromClient?.(request);
    if (!passed) return { passed: false, body: bodyOf(toClient.at(-1)) };
    const response = { seq, type: 'response', request_seq: seq, command, success: true } as const;
    return { passed: true, body: bodyOf(delegate.fromAdapter?.({ ...response, body: answer })) };
  };
  const scopes = () => ask('scopes', { frameId: 1 }, { scopes: [{ name: 'Locals' }] }).body.scopes;
  const below = (reference: unknown) => ask('variables', { variablesReference: reference });
  return { ask, scopes, below, delegate };
}

function bodyOf(message: Message | undefined): Record<string, unknown> {
  const body = message?.type === 'response' ? message.body : undefined;
  return isRecord(body) ? body : {};
}

const listed = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const layer = (name: string): LayerRow => ({
  name,
  value: 'LayerNorm',
  rows: () => [{ name: 'Input x', value: 'μ 0' }],
});

describe('the scope “Norm Layers”', () => {
  test('stands behind the frame’s own, and opens to the layers and what is below them', () => {
    const { scopes, below } = chain(() => [layer('norm1'), layer('norm2')]);
    const [locals, ours] = listed(scopes());
    expect(locals?.name).toBe('Locals');
    expect(ours).toMatchObject({ name: 'Norm Layers', expensive: true });
    const rows = listed(below(ours?.variablesReference).body.variables);
    expect(rows.map(({ name, value }) => [name, value])).toEqual([
      ['norm1', 'LayerNorm'],
      ['norm2', 'LayerNorm'],
    ]);
    const [tap] = listed(below(rows[0]?.variablesReference).body.variables);
    expect(tap).toMatchObject({ name: 'Input x', value: 'μ 0', variablesReference: 0 });
  });

  test('asks for nothing below a row before it is opened', () => {
    const { scopes, below } = chain(() => [
      {
        name: 'a',
        value: '',
        rows: () => {
          throw new Error('opened');
        },
      },
    ]);
    const [, ours] = listed(scopes());
    expect(listed(below(ours?.variablesReference).body.variables)).toHaveLength(1);
  });

  test('shows a thousand layers by ranges', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => layer(`norm${n}`));
    const { scopes, below } = chain(() => many);
    const [, ours] = listed(scopes());
    const ranges = listed(below(ours?.variablesReference).body.variables);
    expect(ranges.map(({ name }) => name).slice(0, 2)).toEqual(['[0 … 99]', '[100 … 199]']);
    const rows = listed(below(ranges[9]?.variablesReference).body.variables);
    expect(rows.at(-1)?.name).toBe('norm999');
  });

  test('is not there while no layer is known, nor where there is no run', () => {
    expect(chain(() => []).scopes()).toHaveLength(1);
    expect(chain(() => undefined).scopes()).toHaveLength(1);
  });

  test('leaves references of the adapter to it, and those of an earlier pause to nobody else', () => {
    const { scopes, below, delegate } = chain(() => [layer('norm1')]);
    const [, before] = listed(scopes());
    expect(below(5).passed).toBe(true);
    delegate.fromAdapter?.({ seq: 0, type: 'event', event: 'continued' });
    const [, after] = listed(scopes());
    expect(after?.variablesReference).not.toBe(before?.variablesReference);
    expect(below(before?.variablesReference).passed).toBe(true);
  });
});
