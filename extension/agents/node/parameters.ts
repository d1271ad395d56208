import type { LayerId } from '../../protocol/ids';
import type { Parameter } from '../../protocol/layers';
import type { LayerRecord } from './layerRecord';
import { isObject, isVariable, type NormLayer, type VariableLike } from './tfjs';

type Values = ArrayLike<number>;
type Source = 'gamma' | 'beta' | 'runningMean' | 'runningVariance';

/** The field of tfjs-layers, and names that a layer of the user's own may give the weight. */
const SOURCES: readonly (readonly [Source, string, RegExp])[] = [
  ['gamma', 'gamma', /(^|[/_])(gamma|gain|scale|weight)(_\d+)?$/i],
  ['beta', 'beta', /(^|[/_])(beta|bias|offset|shift)(_\d+)?$/i],
  ['runningMean', 'movingMean', /(moving|running)_?mean(_\d+)?$/i],
  ['runningVariance', 'movingVariance', /(moving|running)_?var(iance)?(_\d+)?$/i],
];

/** The variable itself, or that within a weight of tfjs-layers; undefined once it is disposed. */
function variableOf(value: unknown): VariableLike | undefined {
  if (isVariable(value)) return value.isDisposed ? undefined : value;
  if (!isObject(value) || typeof value['read'] !== 'function') return undefined;
  const inner = value['val'];
  return isVariable(inner) && !inner.isDisposed ? inner : undefined;
}

function weightNamed(layer: NormLayer, name: RegExp): VariableLike | undefined {
  for (const list of [layer._trainableWeights, layer._nonTrainableWeights]) {
    if (!Array.isArray(list)) continue;
    const weight: unknown = list.find(
      (candidate) => isObject(candidate) && name.test(String(candidate['originalName'])),
    );
    if (weight) return variableOf(weight);
  }
  return undefined;
}

/** The vectors of a norm layer that have one value a feature. */
export function parametersOf(
  layer: NormLayer,
  features: number,
): Partial<Record<Source, VariableLike>> {
  const found: Partial<Record<Source, VariableLike>> = {};
  for (const [source, field, name] of SOURCES) {
    const variable = variableOf(Reflect.get(layer, field)) ?? weightNamed(layer, name);
    if (variable?.size === features) found[source] = variable;
  }
  return found;
}

/** Gradients as an optimizer takes them: by name, or as a list of names and tensors. */
function gradientsByName(gradients: unknown): ReadonlyMap<string, unknown> {
  const named = new Map<string, unknown>();
  if (Array.isArray(gradients)) {
    for (const entry of gradients) {
      if (isObject(entry)) named.set(String(entry['name']), entry['tensor']);
    }
  } else if (isObject(gradients)) {
    for (const [name, tensor] of Object.entries(gradients)) named.set(name, tensor);
  }
  return named;
}

function difference(after: Values, before: Values): Values {
  const change = new Float64Array(after.length);
  for (let f = 0; f < change.length; f += 1) change[f] = (after[f] ?? NaN) - (before[f] ?? NaN);
  return change;
}

/** The values, of which the backend's own array may change. */
const copyOf = (tensor: { dataSync(): Values }): Values => Float32Array.from(tensor.dataSync());

interface Called {
  readonly layer: NormLayer;
  readonly values: Partial<Record<Parameter, Values>>;
}

/** γ, β, their gradients and updates, and the running statistics of the layers called in one step. */
export class StepParameters {
  private readonly called = new Map<LayerRecord, Called>();

  /** A layer is about to be called: its running statistics will change. */
  beforeCall(record: LayerRecord, layer: NormLayer): void {
    if (this.called.has(record)) return;
    const values: Called['values'] = {};
    this.called.set(record, { layer, values });
    const { runningMean, runningVariance } = parametersOf(layer, record.featureCount);
    if (runningMean) values.runningMean = copyOf(runningMean);
    if (runningVariance) values.runningVariance = copyOf(runningVariance);
    record.hasParameters(Object.keys(values) as Parameter[]);
  }

  /** The optimizer is about to apply these gradients. */
  beforeUpdate(gradients: unknown): void {
    const named = gradientsByName(gradients);
    this.eachVector((values, source, variable, record) => {
      values[source] = copyOf(variable);
      const gradient = named.get(variable.name);
      if (isObject(gradient) && typeof gradient['dataSync'] === 'function') {
        values[`${source}Gradient`] = copyOf(gradient as { dataSync(): Values } & object);
      }
      record.hasParameters([source, `${source}Gradient`, `${source}Update`]);
    });
  }

  afterUpdate(): void {
    this.eachVector((values, source, variable) => {
      const before = values[source];
      if (before) values[`${source}Update`] = difference(copyOf(variable), before);
    });
  }

  /** Undefined where a value is not known. */
  lookup(): (layer: LayerId, parameter: Parameter) => Values | undefined {
    const byId = new Map(
      [...this.called].map(([record, { values }]) => [record.id, values] as const),
    );
    return (layer, parameter) => byId.get(layer)?.[parameter];
  }

  private eachVector(
    body: (
      values: Called['values'],
      source: 'gamma' | 'beta',
      variable: VariableLike,
      record: LayerRecord,
    ) => void,
  ): void {
    for (const [record, { layer, values }] of this.called) {
      const found = parametersOf(layer, record.featureCount);
      for (const source of ['gamma', 'beta'] as const) {
        const variable = found[source];
        if (variable) body(values, source, variable, record);
      }
    }
  }
}
