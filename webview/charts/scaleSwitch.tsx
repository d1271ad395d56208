import { option, type Option } from '../state/options';
import { text } from '../strings';

export type Scale = 'linear' | 'log';

const LINEAR_FIRST = ['linear', 'log'] as const;
const LOG_FIRST = ['log', 'linear'] as const;

/** How the values of a chart are drawn; remembered by the chart's id. */
export const scaleOf = (chart: string, usual: Scale): Option<Scale> =>
  option<Scale>(`scale.${chart}`, usual === 'log' ? LOG_FIRST : LINEAR_FIRST);

interface ScaleSwitchProps {
  readonly title: string;
  readonly scale: Option<Scale>;
}

/** Linear or logarithmic values. */
export function ScaleSwitch({ title, scale }: ScaleSwitchProps) {
  return (
    <span class="switch" role="group" aria-label={text('scale', title)}>
      {LINEAR_FIRST.map((kind) => (
        <button
          key={kind}
          type="button"
          aria-pressed={scale.current.value === kind}
          onClick={() => scale.choose(kind)}
        >
          {text(kind === 'log' ? 'scaleLog' : 'scaleLinear')}
        </button>
      ))}
    </span>
  );
}
