import path from 'node:path';

/** Root of the repository. */
export const root = path.resolve(import.meta.dirname, '..', '..');

/** Everything that is fetched or built for development; ignored by git. */
export const cacheDir = path.join(root, '.cache');

export const inRoot = (...parts: string[]) => path.join(root, ...parts);
export const inCache = (...parts: string[]) => path.join(cacheDir, ...parts);
