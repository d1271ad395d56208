import * as vscode from 'vscode';
import type { ChosenLayers } from '../../core/breakpoints/chosenLayers';
import type { EditorModel } from '../../core/editor/editorModel';
import { layerNodes, layerTree, type LayerNode, type TreeNode } from '../../core/editor/layerTree';
import type { LayerTrack } from '../../core/runStore/layerTrack';
import type { Run } from '../../core/runStore/run';
import type { LayerFocus } from './layerFocus';
import {
  layerItem,
  layerState,
  layerTooltip,
  moduleItem,
  moduleState,
  moreItem,
  type RowOptions,
  type RowState,
} from './layerItem';
import type { TreeFigure } from './treeFigures';

/** Most rows that change at once; the others follow at the next turns. */
const ROWS_A_TURN = 200;

/** The model's hierarchy with a figure beside each layer. Only rows that have changed are told. */
export class LayerProvider implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.emitter.event;
  private roots: readonly TreeNode[] = [];
  private byLayer = new Map<LayerTrack, LayerNode>();
  private shape: string | undefined;
  /** Rows that VS Code has asked for, with what it was told. */
  private readonly told = new Map<TreeNode, string>();
  private turn = 0;
  private onlyAlerts = false;

  constructor(
    private readonly model: EditorModel,
    private readonly focus: LayerFocus,
    private readonly breakpoints: ChosenLayers,
    private figure: TreeFigure,
  ) {}

  get run(): Run | undefined {
    return this.model.current.get();
  }

  /** Number of layers that are shown. */
  get shown(): number {
    return this.byLayer.size;
  }

  setFigure(figure: TreeFigure): void {
    this.figure = figure;
    this.refresh();
  }

  /** Whether only layers are shown of which a rule speaks. */
  setOnlyAlerts(onlyAlerts: boolean): void {
    this.onlyAlerts = onlyAlerts;
    this.refresh();
  }

  nodeOf(track: LayerTrack): LayerNode | undefined {
    return this.byLayer.get(track);
  }

  /** Takes in what the run has measured since. */
  refresh(): void {
    const { run } = this;
    const tracks = run ? this.chosen(run) : [];
    const names = tracks.map(({ info }) => `${info.id} ${info.call} ${info.name}`);
    const shape = `${run?.origin.id}\n${names.join('\n')}`;
    if (shape !== this.shape) {
      this.shape = shape;
      this.roots = layerTree(tracks);
      this.byLayer = new Map([...layerNodes(this.roots)].map((node) => [node.track, node]));
      this.told.clear();
      this.emitter.fire(undefined);
      return;
    }
    const changed = this.changedRows();
    if (changed.length > 0) this.emitter.fire(changed);
  }

  /** Has rows drawn again, whatever they were told. */
  redraw(nodes: TreeNode[]): void {
    this.emitter.fire(nodes);
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const options = this.options();
    const state = options && this.stateOf(options, node);
    this.told.set(node, JSON.stringify(state));
    if (node.kind === 'more' || !options || !state) {
      return node.kind === 'more' ? moreItem(node) : new vscode.TreeItem(node.label);
    }
    return node.kind === 'layer' ? layerItem(node, state) : moduleItem(node, state);
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    const options = this.options();
    if (options && node.kind === 'layer') item.tooltip = layerTooltip(options, node);
    return item;
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (!node) return [...this.roots];
    return node.kind === 'module' ? node.children : [];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  dispose(): void {
    this.emitter.dispose();
  }

  private chosen(run: Run): readonly LayerTrack[] {
    if (!this.onlyAlerts) return run.layers();
    const spoken = new Set(this.model.activeAlerts(run).map(({ layer }) => layer));
    return run.layers().filter(({ info }) => spoken.has(info.id));
  }

  private options(): RowOptions | undefined {
    const { run, model, figure, focus, breakpoints } = this;
    return run && { model, run, figure, focus, breakpoints };
  }

  private stateOf(options: RowOptions, node: TreeNode): RowState | undefined {
    if (node.kind === 'more') return undefined;
    return node.kind === 'layer' ? layerState(options, node) : moduleState(options, node);
  }

  /** In turns over all rows, so that each is told some time however many there are. */
  private changedRows(): TreeNode[] {
    const options = this.options();
    if (!options) return [];
    const rows = [...this.told.keys()];
    const changed: TreeNode[] = [];
    let looked = 0;
    for (; looked < rows.length && changed.length < ROWS_A_TURN; looked++) {
      const node = rows[(this.turn + looked) % rows.length];
      if (node && JSON.stringify(this.stateOf(options, node)) !== this.told.get(node)) {
        changed.push(node);
      }
    }
    this.turn = rows.length > 0 ? (this.turn + looked) % rows.length : 0;
    return changed;
  }
}
