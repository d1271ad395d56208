import { randomBytes, timingSafeEqual } from 'node:crypto';
import { TOKEN_LENGTH } from '../../protocol/environment';

export const newToken = (): string => randomBytes(TOKEN_LENGTH / 2).toString('hex');

/**
 * The candidate whose token was received. All candidates are compared, each in constant time, so
 * that the time taken says nothing about any of them.
 */
export function matchToken<T extends { readonly token: string }>(
  received: Uint8Array,
  candidates: Iterable<T>,
): T | undefined {
  let found: T | undefined;
  for (const candidate of candidates) {
    const expected = Buffer.from(candidate.token, 'ascii');
    if (expected.length === received.length && timingSafeEqual(expected, received)) {
      found = candidate;
    }
  }
  return found;
}
