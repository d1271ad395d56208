import { text } from '../strings';
import { Canvas, type Draw } from './canvas';
import { featureAt, hoveredFeature, type FeatureAxis, type FeatureMarks } from './featureAxis';
import { featureByKey } from './featureKeys';
import { usePlotKeys } from './plotKeys';
import { Pointed } from './pointed';

export interface FeatureChoice {
  readonly chosen: number | null;
  readonly onChoose: (feature: number) => void;
}

interface PressableFeaturesProps extends FeatureChoice {
  readonly axis: FeatureAxis;
  readonly drawWith: (marks: FeatureMarks) => Draw;
}

/** A drawing over features of which the pointer and the keys choose one. */
export function PressableFeatures({ axis, drawWith, chosen, onChoose }: PressableFeaturesProps) {
  usePlotKeys((event) => {
    const feature = featureByKey(event, axis, chosen);
    if (feature !== undefined) onChoose(feature);
    return feature !== undefined;
  }, text('featureKeys'));
  return (
    <Pointed
      onPoint={(place) => {
        hoveredFeature.value = place && featureAt(place, axis);
      }}
      onPress={(place) => {
        const feature = featureAt(place, axis);
        if (feature !== null) onChoose(feature);
      }}
    >
      <Canvas draw={drawWith({ hovered: hoveredFeature.value, chosen })} />
    </Pointed>
  );
}
