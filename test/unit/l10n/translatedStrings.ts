import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const NAMES = new Set(['t', 'translate']);

export interface TranslatedString {
  /** Null where the argument is not a literal, so that no bundle can hold it. */
  readonly message: string | null;
  /** File and line, for a failure's message. */
  readonly at: string;
}

/** A string written out in the code, in one piece or several. */
function literalOf(node: ts.Expression): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return literalOf(node.expression);
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) {
    return null;
  }
  const [left, right] = [literalOf(node.left), literalOf(node.right)];
  return left === null || right === null ? null : left + right;
}

/** Names that a file gives to a translating function: parameters and variables of type `Translate`. */
function translators(source: ts.SourceFile): Set<string> {
  const names = new Set(NAMES);
  const visit = (node: ts.Node): void => {
    const typed = ts.isParameter(node) || ts.isVariableDeclaration(node);
    if (typed && node.type?.getText(source) === 'Translate' && ts.isIdentifier(node.name)) {
      names.add(node.name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** Every first argument of `l10n.t`, of `t` and of `translate` in a file. */
export function translatedStringsOf(file: string, text: string): TranslatedString[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const names = translators(source);
  const found: TranslatedString[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const callee = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
      const [first] = node.arguments;
      if (first && ts.isIdentifier(callee) && names.has(callee.text)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        found.push({ message: literalOf(first), at: `${file}:${line + 1}` });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** All of them in `extension/`, but for the agents, which have no VS Code to ask. */
export function translatedStrings(): TranslatedString[] {
  const files = readdirSync(path.join(ROOT, 'extension'), { recursive: true, encoding: 'utf8' });
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('agents/'))
    .sort()
    .flatMap((file) =>
      translatedStringsOf(
        `extension/${file}`,
        readFileSync(path.join(ROOT, 'extension', file), 'utf8'),
      ),
    );
}

/** @throws where the file is not an object of strings. */
export function readBundle(name: string): Map<string, string> {
  const content: unknown = JSON.parse(readFileSync(path.join(ROOT, 'l10n', name), 'utf8'));
  if (typeof content !== 'object' || content === null) throw new Error(`${name} is no object.`);
  return new Map(
    Object.entries(content).map(([key, value]) => {
      if (typeof value !== 'string') throw new Error(`${name}: "${key}" is no text.`);
      return [key, value];
    }),
  );
}
