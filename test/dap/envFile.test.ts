import { describe, expect, test } from 'vitest';
import { parseEnvFile } from '../../extension/debug/envFile';

const parse = (lines: readonly string[], base: Record<string, string> = {}) =>
  parseEnvFile(lines.join('\n'), base);

describe('env file', () => {
  test('plain values, spaces around them, comments and export', () => {
    const lines = ['# comment', '', 'A=1', '  B =  two words  ', 'export C=3 # three', 'D='];
    expect(parse(lines)).toEqual({ A: '1', B: 'two words', C: '3', D: '' });
  });

  test('single quotes keep all, double quotes know escapes and several lines', () => {
    const lines = [`A='a # b \${X}\\n'`, 'B="x\\ty # z"', 'C="one', 'two"', 'D="say \\"hi\\""'];
    expect(parse(lines)).toEqual({
      A: 'a # b ${X}\\n',
      B: 'x\ty # z',
      C: 'one\ntwo',
      D: 'say "hi"',
    });
  });

  test('variables come from earlier lines, then from the environment', () => {
    const lines = ['A=1', 'B=${A}/${HOME}/${MISSING}', 'C="${env:HOME}"', 'D=\\${A}'];
    expect(parse(lines, { A: 'outer', HOME: '/home/me' })).toEqual({
      A: '1',
      B: '1//home/me/',
      C: '/home/me',
      D: '${A}',
    });
  });

  test('a hash inside a value belongs to it, and Windows line ends do not', () => {
    expect(parseEnvFile('A=a#b\r\nB=c:\\new\r\n', {})).toEqual({ A: 'a#b', B: 'c:\\new' });
  });

  test('lines that are no assignments are passed over', () => {
    expect(parse(['nonsense', '=x', '1A=2', 'A="open', 'B=2'])).toMatchObject({ B: '2' });
  });

  test('a long line of quotes takes no exponential time', () => {
    const start = performance.now();
    parse([`A="${'\\a'.repeat(200_000)}`, `${' '.repeat(100_000)}x`]);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
