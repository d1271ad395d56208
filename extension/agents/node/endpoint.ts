import type { NetConnectOpts } from 'node:net';

/** Where to connect, from the text of an `Endpoint`; null when it is not one. */
export function connectOptions(address: string): NetConnectOpts | null {
  const [, scheme, rest] = /^(unix|pipe|tcp):(.+)$/s.exec(address) ?? [];
  if (rest === undefined) return null;
  if (scheme !== 'tcp') return { path: rest };
  const colon = rest.lastIndexOf(':');
  const port = Number(rest.slice(colon + 1));
  const host = rest.slice(0, colon);
  const valid = colon > 0 && Number.isInteger(port) && port > 0 && port < 65_536;
  return valid ? { host, port, noDelay: true } : null;
}
