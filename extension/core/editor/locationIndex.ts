import type { LayerInfo } from '../../protocol/layers';
import type { LayerTrack } from '../runStore/layerTrack';
import type { Run } from '../runStore/run';
import type { RunStore } from '../runStore/runStore';
import { runsOf } from './currentRun';

/** A line of a file at which layers are made or called. */
export interface Site {
  readonly run: Run;
  /** As the process saw the file; counted from 1. */
  readonly line: number;
  readonly role: 'construction' | 'call';
  readonly layers: readonly LayerTrack[];
}

/** The sites of a file, of the newest run that has any there. */
export interface FileSites {
  readonly run: Run;
  readonly sites: readonly Site[];
}

/** Most files whose sites are kept of one run. */
const MAX_FILES = 512;

function fileKey(path: string, windows: boolean): string {
  return windows ? path.replaceAll('\\', '/').toLowerCase() : path;
}

function sitesOfRun(run: Run, windows: boolean): Map<string, FileSites> {
  const found = new Map<string, Map<string, Site & { layers: LayerTrack[] }>>();
  const add = (at: LayerInfo['calledAt'], role: Site['role'], track: LayerTrack) => {
    if (!at) return;
    const file = fileKey(at.file, windows);
    let sites = found.get(file);
    if (!sites) {
      if (found.size >= MAX_FILES) return;
      found.set(file, (sites = new Map()));
    }
    const key = `${role} ${at.line}`;
    const site = sites.get(key) ?? { run, line: at.line, role, layers: [] };
    site.layers.push(track);
    sites.set(key, site);
  };
  for (const track of run.layers()) {
    const { constructedAt, calledAt } = track.info;
    add(constructedAt, 'construction', track);
    // A call of a function is made where it is called.
    const apart = calledAt?.file !== constructedAt?.file || calledAt?.line !== constructedAt?.line;
    if (apart) add(calledAt, 'call', track);
  }
  return new Map([...found].map(([file, sites]) => [file, { run, sites: [...sites.values()] }]));
}

/** Where the layers of all runs are in source files. Built anew only when a layout has changed. */
export class LocationIndex {
  private files = new Map<string, FileSites>();
  private builtOf: readonly (readonly LayerTrack[])[] = [];
  private builds = 0;

  constructor(
    private readonly store: RunStore,
    private readonly windows = process.platform === 'win32',
  ) {}

  /** Counts how often the index was built. */
  get version(): number {
    return this.builds;
  }

  /** Takes in new layouts, if there are any. */
  refresh(): void {
    const runs = runsOf(this.store);
    const layouts = runs.map((run) => run.layers());
    const { builtOf } = this;
    const same =
      layouts.length === builtOf.length && layouts.every((layout, i) => layout === builtOf[i]);
    if (same) return;
    this.builtOf = layouts;
    this.builds++;
    this.files = new Map();
    for (const run of runs) {
      for (const [file, sites] of sitesOfRun(run, this.windows)) {
        if (!this.files.has(file)) this.files.set(file, sites);
      }
    }
  }

  of(path: string): FileSites | undefined {
    return this.files.get(this.key(path));
  }

  /** The same for every way of writing a path on this platform; itself a path to the file. */
  key(path: string): string {
    return fileKey(path, this.windows);
  }

  /** Keys of the files that have sites of a run. */
  filesOf(run: Run): readonly string[] {
    return [...this.files].flatMap(([file, sites]) => (sites.run === run ? [file] : []));
  }
}
