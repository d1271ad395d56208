import { MAX_TEXT } from '../../protocol/limits';
import { MalformedBlob } from '../../protocol/safetensors';
import { plainText } from '../plainText';

type Json = Readonly<Record<string, unknown>>;

/** Reads the fields of one JSON object that a process sent, naming the place of a bad one. */
export class Fields {
  private readonly object: Json;

  /** @throws MalformedBlob when `value` is not a JSON object. */
  constructor(
    private readonly where: string,
    value: unknown,
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new MalformedBlob(`The ${where} is not a JSON object.`);
    }
    this.object = value as Json;
  }

  private get(name: string): unknown {
    return Object.hasOwn(this.object, name) ? this.object[name] : undefined;
  }

  private bad(name: string, wanted: string): MalformedBlob {
    return new MalformedBlob(`The ${this.where} has a "${name}" that is not ${wanted}.`);
  }

  /** A text in one line, cut to {@link MAX_TEXT}, without control characters. */
  text(name: string): string {
    const value = this.get(name);
    if (typeof value !== 'string') throw this.bad(name, 'a text');
    return plainText(value.slice(0, MAX_TEXT));
  }

  /** One of the given texts, or `otherwise`. */
  choice<T extends string>(name: string, choices: readonly T[], otherwise: T): T {
    const value = this.text(name);
    return choices.find((choice) => choice === value) ?? otherwise;
  }

  /** A whole number from 0 to `max`. */
  count(name: string, max = Number.MAX_SAFE_INTEGER): number {
    const value = this.get(name);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > max) {
      throw this.bad(name, `a whole number from 0 to ${max}`);
    }
    return value;
  }

  number(name: string): number {
    const value = this.get(name);
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.bad(name, 'a number');
    return value;
  }

  numberOrNull(name: string): number | null {
    const value = this.get(name);
    return value === null || value === undefined ? null : this.number(name);
  }

  /** A list of at most `max` entries. */
  list(name: string, max: number): readonly unknown[] {
    const value = this.get(name);
    if (!Array.isArray(value)) throw this.bad(name, 'a list');
    if (value.length > max) throw this.bad(name, `a list of at most ${max} entries`);
    return value;
  }

  counts(name: string, max: number): readonly number[] {
    const list = this.list(name, max);
    for (const entry of list) {
      if (typeof entry !== 'number' || !Number.isSafeInteger(entry) || entry < 0) {
        throw this.bad(name, 'a list of whole numbers');
      }
    }
    return list as readonly number[];
  }

  texts(name: string, max: number): readonly string[] {
    const list = this.list(name, max);
    for (const entry of list) {
      if (typeof entry !== 'string') throw this.bad(name, 'a list of texts');
    }
    return list as readonly string[];
  }

  /** The objects of a list. */
  objects(name: string, max: number): readonly Fields[] {
    return this.list(name, max).map(
      (entry, at) => new Fields(`${this.where}'s ${name}[${at}]`, entry),
    );
  }

  objectOrNull(name: string): Fields | null {
    const value = this.get(name);
    if (value === null || value === undefined) return null;
    return new Fields(`${this.where}'s ${name}`, value);
  }
}
