import type { ComponentType } from 'preact';
import type { PanelStringKey } from '../../../extension/protocol/panelStrings';
import { SECTIONS, type SectionId } from '../../../extension/protocol/panelState';
import { LayerSection } from '../layer/layerSection';
import { ModelSection } from '../model/modelSection';
import { OverviewSection } from '../overview/overviewSection';

interface Section {
  readonly title: PanelStringKey;
  readonly View: ComponentType;
}

const BY_ID: Readonly<Record<SectionId, Section>> = {
  overview: { title: 'sectionOverview', View: OverviewSection },
  layer: { title: 'sectionLayer', View: LayerSection },
  model: { title: 'sectionModel', View: ModelSection },
};

/** What the panel can show of a run, in the order of its tabs. */
export const sections = SECTIONS.map((id) => ({ id, ...BY_ID[id] }));
