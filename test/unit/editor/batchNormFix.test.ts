import { describe, expect, it } from 'vitest';
import {
  layerNormInstead,
  transposedCall,
  type LineEdit,
} from '../../../extension/core/editor/batchNormFix';

const applied = (line: string, edit: LineEdit | undefined) =>
  edit && line.slice(0, edit.start) + edit.text + line.slice(edit.end);

const instead = (line: string, value = 16, limit = 16) =>
  applied(line, layerNormInstead(line, { value, limit }));

describe('LayerNorm instead of a BatchNorm1d over the wrong axis', () => {
  it('keeps the size where both axes are equally long', () => {
    expect(instead('        self.norm = nn.BatchNorm1d(width)')).toBe(
      '        self.norm = nn.LayerNorm(width)',
    );
  });

  it('takes the length of the last axis where they differ', () => {
    expect(instead('norm = torch.nn.BatchNorm1d(length)', 10, 32)).toBe(
      'norm = torch.nn.LayerNorm(32)',
    );
  });

  it('carries over what both have and leaves the rest', () => {
    expect(instead('n = nn.BatchNorm1d(f(a, b), 1e-3, 0.1, affine=False)  # why')).toBe(
      'n = nn.LayerNorm(f(a, b), eps=1e-3, elementwise_affine=False)  # why',
    );
    expect(instead('n = nn.BatchNorm1d(momentum=None, num_features=d, device=dev)')).toBe(
      'n = nn.LayerNorm(d, device=dev)',
    );
  });

  it('is not offered where it can not be written in this line', () => {
    expect(instead('self.norm = nn.BatchNorm1d(')).toBeUndefined();
    expect(instead('self.norm = BatchNorm1d(16)')).toBeUndefined();
    expect(instead('self.norm = nn.BatchNorm1d(*sizes)')).toBeUndefined();
    expect(instead('self.norm = nn.BatchNorm2d(16)')).toBeUndefined();
    expect(instead('self.norm = nn.BatchNorm1d(16 # )')).toBeUndefined();
  });
});

describe('transposing around the call', () => {
  const transposed = (line: string, name = 'norm2') => applied(line, transposedCall(line, name));

  it('wraps the argument and the result', () => {
    expect(transposed('        return self.norm2(x)')).toBe(
      '        return self.norm2(x.transpose(1, 2)).transpose(1, 2)',
    );
    expect(transposed('y = relu(self.norm2(x + self.f(x)))')).toBe(
      'y = relu(self.norm2((x + self.f(x)).transpose(1, 2)).transpose(1, 2))',
    );
  });

  it('is not offered where it is not clear what is called', () => {
    expect(transposed('return self.norm2(self.norm2(x))')).toBeUndefined();
    expect(transposed('return self.norm2(x, y)')).toBeUndefined();
    expect(transposed('return self.norm2(')).toBeUndefined();
    expect(transposed('return self.other(x)')).toBeUndefined();
    expect(transposed('return self.norm2(input=x)')).toBeUndefined();
    expect(transposed('return self.norm2(x)', 'no.name')).toBeUndefined();
  });
});
