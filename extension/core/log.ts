export type LogLevel = 'debug' | 'info' | 'warning' | 'error';
export type Log = (level: LogLevel, message: string) => void;

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
