import type { Family } from './layers';

/** The way into a training process: environment variables that both agents read. */

/** Where the collector listens, as {@link Endpoint} text. */
export const ADDRESS_VARIABLE = 'NORMSCOPE_ADDRESS';

/** 64 hexadecimal digits; the first 64 bytes an agent sends. */
export const TOKEN_VARIABLE = 'NORMSCOPE_TOKEN';

/** Initial {@link CaptureSettings} as JSON. */
export const CAPTURE_VARIABLE = 'NORMSCOPE_CAPTURE';

/** Length of the token on the wire, in ASCII bytes. */
export const TOKEN_LENGTH = 64;

/** `unix:` a socket path, `pipe:` a Windows named pipe, `tcp:` host:port on the loopback interface. */
export type Endpoint = `unix:${string}` | `pipe:${string}` | `tcp:${string}:${number}`;

/** A further class of norm layers. */
export interface ExtraClass {
  /** Class name, or module and class name; `*` and `?` stand for any text and any character. */
  readonly pattern: string;
  /** Null: told from the class name and the parameters' shapes. */
  readonly family: Family | null;
  /** Axis of the input that indexes the features, from the end where negative; null: told likewise. */
  readonly featureAxis: number | null;
}

export interface CaptureSettings {
  /** Off: hooks stay out, nothing is sent. */
  readonly enabled: boolean;
  /** Share of a step's time that capture may take, in percent. 0 means no limit: every step is captured. */
  readonly budgetPercent: number;
  readonly extraClasses: readonly ExtraClass[];
}

export const DEFAULT_CAPTURE: CaptureSettings = {
  enabled: true,
  budgetPercent: 1,
  extraClasses: [],
};
