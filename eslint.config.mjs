import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const noVscode = {
  group: ['vscode'],
  message: 'This folder runs without VS Code; keep it so.',
};
const only = (...groups) => ({
  'no-restricted-imports': ['error', { patterns: groups }],
});
const inward = (names, message) => ({ group: names.map((name) => `**/${name}/**`), message });
/** Of the extension's own folders: the panel has some of the same names. */
const notOfExtension = (names, message) => ({
  group: names.map((name) => `**/extension/${name}/**`),
  message,
});

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '.cache/**',
      '.vscode-test/**',
      'test/artifacts/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['extension/protocol/**'],
    rules: only(
      noVscode,
      inward(['core', 'debug', 'editor', 'views', 'agents'], 'protocol/ imports nothing else.'),
    ),
  },
  {
    files: ['extension/core/**'],
    rules: only(
      noVscode,
      inward(['debug', 'editor', 'views', 'agents'], 'core/ sees protocol/ only.'),
    ),
  },
  {
    files: ['extension/debug/interposer/**'],
    rules: only(noVscode, inward(['editor', 'views', 'agents'], 'The interposer runs alone.')),
  },
  {
    files: ['extension/agents/**'],
    rules: only(
      noVscode,
      inward(['core', 'debug', 'editor', 'views'], 'Agents see protocol/ only.'),
    ),
  },
  {
    files: ['webview/**'],
    rules: only(
      noVscode,
      notOfExtension(['debug', 'editor', 'views', 'agents'], 'The panel sees protocol/ only.'),
    ),
  },
  { files: ['scripts/**', 'test/**', 'examples/**'], rules: { 'no-console': 'off' } },
  {
    files: ['examples/**/*.js', 'test/fixtures/programs/**/*.js', '**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
    languageOptions: {
      globals: {
        require: 'readonly',
        module: 'writable',
        process: 'readonly',
        console: 'readonly',
        __dirname: 'readonly',
      },
    },
  },
  {
    files: ['scripts/**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly' } },
  },
);
