import path from 'node:path';

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The tests need ${name} in the environment.`);
  return value;
}

export const root = fromEnvironment('NORMSCOPE_TEST_ROOT');

/** Interpreter with torch and debugpy. */
export const python = fromEnvironment('NORMSCOPE_TEST_PYTHON');

export const example = (...parts: string[]) => path.join(root, 'examples', ...parts);
export const program = (name: string) => path.join(root, 'test', 'fixtures', 'programs', name);
