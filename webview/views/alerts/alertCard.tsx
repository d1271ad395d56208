import type { Alert, Severity } from '../../../extension/protocol/alerts';
import { alertWords } from './alertWords';

/** Diamond, triangle, disc: the shapes that charts mark alerts with. */
const PATHS: Readonly<Record<Severity, string>> = {
  error: 'M8 0 16 8 8 16 0 8Z',
  warning: 'M8 1 16 15H0Z',
  info: 'M8 1a7 7 0 1 0 .01 0Z',
};

interface AlertMarkProps {
  readonly severity: Severity;
  readonly active: boolean;
  /** What charts call it; none where no chart marks it. */
  readonly label?: string;
}

/** The mark of an alert, as charts draw it. */
export function AlertMark({ severity, active, label = '' }: AlertMarkProps) {
  return (
    <svg
      class={`alert-mark ${severity} ${active ? 'active' : 'over'}`}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <path d={PATHS[severity]} />
      <text x="8" y={severity === 'warning' ? 13 : 11.4}>
        {label}
      </text>
    </svg>
  );
}

interface AlertCardProps {
  readonly alert: Alert;
  readonly label?: string;
  /** Without it nothing can be chosen: the alert is of what is shown already. */
  readonly onChoose?: () => void;
  readonly chosen?: boolean;
}

/**
 * One alert: what it is, where and since when, what was found, what to do; of one that is over in a
 * list only the former, until it is chosen.
 */
export function AlertCard({ alert, label = '', onChoose, chosen = false }: AlertCardProps) {
  const { title, severity, layer, when, found, advice } = alertWords(alert);
  const head = (
    <>
      <AlertMark severity={alert.severity} active={alert.active} label={label} />
      <span class="spoken">{severity}: </span>
      <span class="alert-title">{title}</span>
    </>
  );
  return (
    <li
      class={`alert ${alert.severity} ${alert.active ? 'active' : 'over'}`}
      aria-current={chosen ? 'true' : undefined}
    >
      {onChoose ? (
        <button type="button" class="alert-head" onClick={onChoose}>
          {head}
          <span class="alert-where">
            <span class="alert-layer">{layer}</span> <span class="alert-when">{when}</span>
          </span>
        </button>
      ) : (
        <div class="alert-head">
          {head}
          <span class="alert-where">
            <span class="alert-when">{when}</span>
          </span>
        </div>
      )}
      {(alert.active || chosen || !onChoose) && (
        <>
          <p class="alert-found">{found}</p>
          <p class="alert-advice">{advice}</p>
        </>
      )}
    </li>
  );
}
