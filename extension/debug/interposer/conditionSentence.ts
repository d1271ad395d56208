import type { ConditionProblem } from '../../core/breakpoints/condition';
import type { Translate } from './sentences';

/** What is wrong with a condition and what could stand there, in one sentence. */
export function conditionSentence(problem: ConditionProblem, t: Translate): string {
  switch (problem.kind) {
    case 'unknown-word':
      return t('"{0}" is not known here: use {1}.', problem.word, problem.known.join(', '));
    case 'unknown-value':
      return t(
        '"{1}" can not stand after "{0}:": use {2}.',
        problem.word,
        problem.value,
        problem.known.join(', '),
      );
    case 'no-value':
      return t('"{0}" needs a value: write "{0}: …".', problem.word);
    case 'no-number':
      return t(
        '"{1}" after "{0}:" is not a number that fits: write one.',
        problem.word,
        problem.value,
      );
    case 'twice':
      return t('"{0}" stands there twice: keep one; lists are divided by commas.', problem.word);
    case 'too-long':
      return t(
        'The condition is longer than 1,000 characters or has a list of more than 32: shorten it.',
      );
  }
}
