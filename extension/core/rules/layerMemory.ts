import { ConstantFeatures } from './deadFeature';
import { UsualSize } from './exploding';
import { Gains } from './gainCollapse';

/** What rules keep of one layer from step to step. */
export class LayerMemory {
  readonly usualInput = new UsualSize();
  readonly usualGradient = new UsualSize();
  readonly constantInputs = new ConstantFeatures();
  readonly constantOutputs = new ConstantFeatures();
  readonly gains = new Gains();

  /** @param firstStep - number of the first captured step in which the layer fired */
  constructor(readonly firstStep: number) {}
}
