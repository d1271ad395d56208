import { describe, expect, it } from 'vitest';
import { parseFromPanel } from '../../../extension/views/panel/parseFromPanel';
import { isLayerLocation } from '../../../extension/views/panel/sourceLocations';
import { syntheticStore } from '../../fixtures/syntheticRun';

describe('what the panel may open', () => {
  it.each([
    ['a share', '\\\\host\\share\\model.py', 1],
    ['a share with slashes', '//host/share/model.py', 1],
    ['a share with both', '/\\host/share/model.py', 1],
    ['a relative path', 'model.py', 1],
    ['a path relative to a drive', 'C:model.py', 1],
    ['a path with a NUL', '/home/ada/model.py\0.txt', 1],
    ['a line beyond an editor', '/home/ada/model.py', 2 ** 31],
    ['line 0', '/home/ada/model.py', 0],
  ])('is not %s', (_what, file, line) => {
    expect(parseFromPanel({ type: 'reveal', file, line })).toBeUndefined();
  });

  it.each(['/home/ada/model.py', 'C:\\ada\\model.py', 'c:/ada/model.py'])('can be %s', (file) => {
    const message = { type: 'reveal', file, line: 2 ** 31 - 1 };
    expect(parseFromPanel(message)).toEqual(message);
  });

  it('is where a layer was built or called, and nothing else', () => {
    const store = syntheticStore({ layers: 2, steps: 1 });
    const file = '/home/ada/project/model.py';
    const open = [12, 13, 40, 41].map((line) => isLayerLocation(store, file, line));
    expect(open).toEqual([true, true, true, true]);
    expect(isLayerLocation(store, file, 14)).toBe(false);
    expect(isLayerLocation(store, '/etc/passwd', 12)).toBe(false);
  });
});
