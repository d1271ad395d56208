import type { ComponentType } from 'preact';
import { signal } from '@preact/signals';
import type { PanelStringKey } from '../../extension/protocol/panelStrings';
import { LayerSection } from './layerSection';

interface Section {
  readonly id: string;
  readonly title: PanelStringKey;
  readonly View: ComponentType;
}

/** What the panel can show of a run, in the order of its tabs. */
export const SECTIONS: readonly [Section, ...Section[]] = [
  { id: 'layer', title: 'layers', View: LayerSection },
];

export const chosenSection = signal<string>(SECTIONS[0].id);
