/** Longest env file that is read, in characters. */
export const MAX_ENV_FILE = 1024 * 1024;

const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?:'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|([^\r\n]*?))[ \t]*(?:[ \t]#[^\r\n]*)?$/gm;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescape(text: string): string {
  return text.replace(/\\([\s\S])/g, (whole, char: string) =>
    char === '$' ? whole : (ESCAPES[char] ?? char),
  );
}

function substitute(text: string, lookup: (name: string) => string): string {
  return text.replace(/(\\?)\$\{([A-Za-z_][\w.:]*)\}/g, (whole, escaped: string, name: string) =>
    escaped ? whole.slice(1) : lookup(name.replace(/^env:/, '')),
  );
}

/**
 * Reads an env file: `NAME=value` lines, `export` before them, comments, quotes ('as it stands',
 * "with \n and over several lines") and `${VAR}`, which means an earlier line's value or else the
 * one in `base`. A line that is none of these is passed over.
 */
export function parseEnvFile(
  text: string,
  base: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const values: Record<string, string> = {};
  const lookup = (name: string) => values[name] ?? base[name] ?? '';
  const content = text
    .slice(0, MAX_ENV_FILE)
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n');
  for (const match of content.matchAll(ASSIGNMENT)) {
    const [, name = '', single, double, plain = ''] = match;
    if (single !== undefined) values[name] = single;
    else if (double !== undefined) values[name] = substitute(unescape(double), lookup);
    else values[name] = substitute(plain.startsWith('#') ? '' : plain, lookup);
  }
  return values;
}
