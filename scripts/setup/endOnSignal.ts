import { descendants, killTree } from './processTree';

/** On Ctrl-C or a request to end, ends every process that this one has started, then itself. */
export function endOnSignal(): void {
  const end = (code: number) => {
    for (const pid of descendants(process.pid)) killTree(pid);
    process.exit(code);
  };
  process.once('SIGINT', () => end(130)).once('SIGTERM', () => end(143));
}
