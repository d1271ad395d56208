import type { Tap } from '../../protocol/layers';

/**
 * A tap in a word.
 * @param t - gives a text in the language of VS Code
 */
export function tapWord(tap: Tap, t: (text: string) => string): string {
  switch (tap) {
    case 'pre':
      return t('input');
    case 'post':
      return t('output');
    case 'gradPost':
      return t('dL/dy');
    case 'gradPre':
      return t('dL/dx');
  }
}
