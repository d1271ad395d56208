/** A path as a word of `NODE_OPTIONS`: in double quotes, where a backslash escapes. */
function quoted(file: string, platform: NodeJS.Platform): string {
  const plain = platform === 'win32' ? file.replace(/\\/g, '/') : file.replace(/\\/g, '\\\\');
  return `"${plain.replace(/"/g, '\\"')}"`;
}

/**
 * `NODE_OPTIONS` that also load a file before the program. Spaces at both ends, since VS Code's
 * Node debugger puts its own next to it without any.
 */
export function withRequire(
  existing: unknown,
  file: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const before =
    typeof existing === 'string' && existing.trim() !== '' ? ` ${existing.trim()}` : '';
  return `${before} --require ${quoted(file, platform)} `;
}
