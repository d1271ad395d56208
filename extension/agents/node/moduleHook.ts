import Module from 'node:module';

/** Where tfjs-core keeps the engine that all its copies share. */
const ENGINE_GLOBAL = '_tfengine';

export interface ModuleListener {
  /** Something that may be a part of TensorFlow.js has been loaded. May be told more than once. */
  readonly onModule: (exported: unknown) => void;
  readonly onEngine: (engine: unknown) => void;
  /** Whether every module is of interest, whatever its name: an engine came from one of them. */
  readonly searching: () => boolean;
}

type Load = (request: unknown, parent: unknown, isMain: unknown) => unknown;

/** Node's own module loader, which `require` and the import of a CommonJS module go through. */
interface Loader {
  _load: Load;
  readonly _cache: Readonly<Record<string, { readonly exports?: unknown } | undefined>>;
}

const loader = Module as unknown as Loader;

const NAME = /tfjs|tensorflow/;

function watchLoader({ onModule, searching }: ModuleListener): void {
  const original = loader._load;
  loader._load = function (this: unknown, ...args: Parameters<Load>) {
    const exported = Reflect.apply(original, this, args);
    const [request] = args;
    if ((typeof request === 'string' && NAME.test(request)) || searching()) onModule(exported);
    return exported;
  };
}

/**
 * Sees the engine come to be, in whatever way its module was loaded. The global is an ordinary one
 * again as soon as it is set.
 */
function watchEngine({ onEngine }: ModuleListener): void {
  if (ENGINE_GLOBAL in globalThis) return;
  Object.defineProperty(globalThis, ENGINE_GLOBAL, {
    configurable: true,
    enumerable: false,
    get: () => undefined,
    set(value: unknown) {
      const property = { value, configurable: true, enumerable: true, writable: true };
      Object.defineProperty(globalThis, ENGINE_GLOBAL, property);
      onEngine(value);
    },
  });
}

/** Tells of copies of TensorFlow.js as the program loads them. */
export function watchModules(listener: ModuleListener): void {
  watchLoader(listener);
  watchEngine(listener);
}

/** Tells of copies that came in past the loader's hook, as some ES module loaders make them do. */
export function scanModules(onModule: (exported: unknown) => void): void {
  for (const [file, module] of Object.entries(loader._cache)) {
    if (NAME.test(file)) onModule(module?.exports);
  }
}
