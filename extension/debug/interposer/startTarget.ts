import { isRecord } from './messages';
import type { UpstreamTarget } from './upstream';

type ConnectTarget = Extract<UpstreamTarget, { kind: 'connect' }>;

function port(value: unknown): number | undefined {
  // A variable in launch.json is substituted as text.
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number < 65536
    ? number
    : undefined;
}

/**
 * Where an attach configuration connects to: `connect`, or the older `host` and `port`. Nothing
 * for the kinds that need an adapter of their own (`launch`, `listen`, `processId`).
 */
export function connectTarget(
  configuration: Readonly<Record<string, unknown>>,
): ConnectTarget | undefined {
  if (configuration.request === 'launch' || isRecord(configuration.listen)) return undefined;
  const place = isRecord(configuration.connect) ? configuration.connect : configuration;
  const number = port(place.port);
  if (number === undefined) return undefined;
  const host = typeof place.host === 'string' && place.host !== '' ? place.host : '127.0.0.1';
  return { kind: 'connect', host, port: number };
}
