import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again until there is an answer other than undefined, null or false.
 * @throws Error with `what` in it after `timeoutMs`.
 */
export async function waitFor<T>(
  what: string,
  ask: () => T | Promise<T>,
  timeoutMs = 60_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && (answer as unknown) !== false) return answer;
    if (Date.now() > deadline) {
      throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${what}.`);
    }
    await sleep(200);
  }
}
