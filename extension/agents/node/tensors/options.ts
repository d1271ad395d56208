import { isObject } from '../tfjs';

/** How tensors are shown, as the extension says it in the environment. */
const TENSORS_VARIABLE = 'NORMSCOPE_TENSORS';

export interface TextOptions {
  /** Elements that are read of one tensor; of a larger one, an evenly spread sample of as many. */
  readonly maxElements: number;
  readonly language: 'en' | 'zh-cn';
}

const DEFAULT_ELEMENTS = 1 << 20;
const FEWEST = 1 << 8;
const MOST = 1 << 26;

/** Whatever is missing or wrong keeps its default. */
export function readTextOptions(environment: NodeJS.ProcessEnv): TextOptions {
  let given: unknown;
  try {
    given = JSON.parse(environment[TENSORS_VARIABLE] ?? '{}');
  } catch {
    given = undefined;
  }
  const { maxElements, language } = isObject(given) ? given : { maxElements: 0, language: 'en' };
  return {
    maxElements:
      typeof maxElements === 'number' && Number.isInteger(maxElements) && maxElements > 0
        ? Math.min(MOST, Math.max(FEWEST, maxElements))
        : DEFAULT_ELEMENTS,
    language: language === 'zh-cn' ? 'zh-cn' : 'en',
  };
}
