/** The file is not of the form that it seems to be of; the message says where, in one sentence. */
export class MalformedVectors extends Error {
  override readonly name = 'MalformedVectors';
}

/** A nested list of numbers, flattened. */
export interface NumberArray {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/** Reads one JSON object of a vector file, naming the place of a bad value. */
export class Values {
  private readonly object: Readonly<Record<string, unknown>>;

  /** @throws MalformedVectors when `value` is not an object. */
  constructor(
    readonly where: string,
    value: unknown,
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new MalformedVectors(`${where} is not a JSON object.`);
    }
    this.object = value as Readonly<Record<string, unknown>>;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.object, name);
  }

  get names(): readonly string[] {
    return Object.keys(this.object);
  }

  private get(name: string): unknown {
    return this.has(name) ? this.object[name] : undefined;
  }

  private bad(name: string, wanted: string): MalformedVectors {
    return new MalformedVectors(`${this.where} has a "${name}" that is not ${wanted}.`);
  }

  text(name: string): string {
    const value = this.get(name);
    if (typeof value !== 'string') throw this.bad(name, 'a text');
    return value;
  }

  flag(name: string): boolean {
    return this.get(name) === true;
  }

  number(name: string): number {
    const value = this.get(name);
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.bad(name, 'a number');
    return value;
  }

  /** A list of numbers, nested to any depth and of the same length everywhere. */
  array(name: string): NumberArray {
    const values: number[] = [];
    const walk = (value: unknown): readonly number[] => {
      if (typeof value === 'number' && Number.isFinite(value)) {
        values.push(value);
        return [];
      }
      if (!Array.isArray(value)) throw this.bad(name, 'a list of numbers');
      const shapes = value.map(walk);
      const [first = []] = shapes;
      if (shapes.some((shape) => shape.join() !== first.join())) {
        throw this.bad(name, 'a list whose rows are of one length');
      }
      return [value.length, ...first];
    };
    const shape = walk(this.get(name));
    if (shape.length === 0) throw this.bad(name, 'a list of numbers');
    return { shape, values };
  }

  /** A flat list of numbers, of the given length if one is given. */
  numbers(name: string, length?: number): readonly number[] {
    const { shape, values } = this.array(name);
    if (shape.length !== 1) throw this.bad(name, 'a flat list of numbers');
    if (length !== undefined && values.length !== length) {
      throw this.bad(name, `a list of ${length} numbers`);
    }
    return values;
  }

  /** Rows of numbers. */
  rows(name: string): readonly (readonly number[])[] {
    const { shape, values } = this.array(name);
    const [rows = 0, columns = 0] = shape;
    if (shape.length !== 2) throw this.bad(name, 'a list of rows of numbers');
    return Array.from({ length: rows }, (_, i) => values.slice(i * columns, (i + 1) * columns));
  }

  child(name: string): Values {
    return new Values(`${this.where}, ${name}`, this.get(name));
  }

  /** The objects of a list that is not empty. */
  objects(name: string): readonly Values[] {
    const value = this.get(name);
    if (!Array.isArray(value) || value.length === 0) throw this.bad(name, 'a list of objects');
    return value.map((entry, at) => new Values(`${this.where}, ${name}[${at}]`, entry));
  }
}
