import { Segments } from '../../controls/segments';
import { formatCount } from '../../format';
import { chooseReferenceStep, referenceStep, usualReference } from '../../state/panel';
import { text } from '../../strings';

const NAMES = {
  previous: 'referencePrevious',
  first: 'referenceFirst',
  window: 'referenceWindow',
} as const;

type Usual = keyof typeof NAMES;

/**
 * What drift is measured against: a choice of this panel, or one step that was chosen for the run and
 * holds in the editor too.
 */
export function DriftReference({ shown }: { readonly shown: number | null }) {
  const chosen = referenceStep.value;
  const usual = usualReference.choices.map((value: Usual) => ({
    value,
    label: text(NAMES[value]),
  }));
  const choices: { value: Usual | 'chosen' | 'shown'; label: string }[] = [...usual];
  if (chosen !== null) {
    choices.push({ value: 'chosen', label: text('referenceChosen', formatCount(chosen)) });
  }
  if (shown !== null && shown !== chosen) {
    choices.push({ value: 'shown', label: text('referenceShown') });
  }
  const choose = (value: Usual | 'chosen' | 'shown') => {
    if (value === 'chosen') return;
    if (value === 'shown') {
      chooseReferenceStep(shown);
      return;
    }
    usualReference.choose(value);
    if (chosen !== null) chooseReferenceStep(null);
  };
  return (
    <Segments
      label={text('driftReference')}
      choices={choices}
      value={chosen === null ? usualReference.current.value : 'chosen'}
      onChange={choose}
    />
  );
}
