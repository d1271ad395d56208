import type { PanelStringKey } from '../../../extension/protocol/panelStrings';
import { Segments } from '../../controls/segments';
import type { Option } from '../../state/options';
import { text } from '../../strings';

interface ChoiceProps<T extends string> {
  readonly label: PanelStringKey;
  readonly option: Option<T>;
  readonly names: Readonly<Record<T, PanelStringKey>>;
}

/** A remembered choice, all of it in sight. */
export function Choice<T extends string>({ label, option, names }: ChoiceProps<T>) {
  return (
    <Segments
      label={text(label)}
      choices={option.choices.map((value) => ({ value, label: text(names[value]) }))}
      value={option.current.value}
      onChange={(value) => option.choose(value)}
    />
  );
}
