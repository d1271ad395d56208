import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LimitedLog } from '../../extension/core/limitedLog';

let lines: string[];
let limited: LimitedLog;

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  limited = new LimitedLog((_, message) => void lines.push(message), 3);
});

afterEach(() => void vi.useRealTimers());

const write = (count: number) => {
  for (let at = 0; at < count; at++) limited.write('info', `line ${at}`);
};

describe('LimitedLog', () => {
  it('passes on so many lines a second and says once how many it left out', () => {
    write(100);
    expect(lines).toEqual(['line 0', 'line 1', 'line 2']);
    vi.advanceTimersByTime(1_000);
    expect(lines.slice(3)).toEqual([expect.stringMatching(/^97 further lines/)]);
    write(3);
    vi.advanceTimersByTime(5_000);
    expect(lines).toHaveLength(7);
  });

  it('says so at once when nothing more comes', () => {
    write(5);
    limited.flush();
    vi.advanceTimersByTime(5_000);
    expect(lines.slice(3)).toEqual([expect.stringMatching(/^2 further lines/)]);
  });
});
