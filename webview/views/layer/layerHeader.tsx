import type { LayerInfo } from '../../../extension/protocol/layers';
import { Checkbox } from '../../controls/checkbox';
import { SourceLink } from '../../controls/sourceLink';
import { formatConstant, formatCount } from '../../format';
import { sameAxes } from '../../state/sameAxes';
import { text } from '../../strings';
import { TensorDrawing } from './tensorDrawing';

/** A name that may be broken after its dots and underscores. */
const breakable = (name: string) =>
  name.split(/(?<=[._])/).map((part, i) => [i > 0 && <wbr key={i} />, part]);

/** Which layer this is, what it computes over what, and where it is in the code. */
export function LayerHeader({ info }: { readonly info: LayerInfo }) {
  const facts = [
    `${info.className}(${formatCount(info.features)})`,
    ...(info.eps === null ? [] : [text('eps', formatConstant(info.eps))]),
    ...(info.momentum === null ? [] : [text('momentum', formatConstant(info.momentum))]),
    info.dtype,
    ...(info.inputShape.length === 0
      ? []
      : [text('input', info.inputShape.map(formatCount).join(' × '))]),
  ];
  return (
    <div class="layer-head">
      <div class="layer-words">
        <div class="layer-title">
          <h2>{breakable(info.name)}</h2>
          <Checkbox
            checked={sameAxes.current.value === 'shared'}
            hint={text('sameAxesHint')}
            onChange={(checked) => sameAxes.choose(checked ? 'shared' : 'own')}
          >
            {text('sameAxes')}
          </Checkbox>
        </div>
        <p class="facts">
          {facts.map((fact) => (
            <span key={fact} class="fact">
              {fact}
            </span>
          ))}
          <SourceLink label={text('constructedAt')} at={info.constructedAt} />
          <SourceLink label={text('calledAt')} at={info.calledAt} />
        </p>
      </div>
      <TensorDrawing info={info} />
    </div>
  );
}
