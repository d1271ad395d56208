import { connectAdapter } from './connectedAdapter';
import { encodeMessage } from './framing';
import { requestMessage, type Message } from './messages';
import { connectTarget } from './startTarget';

const GIVE_UP_MS = 15_000;

/**
 * Lets a child process run without a debugger: it waits for a session before its first line, so
 * it gets one that is configured with nothing and leaves at once.
 */
export function releaseChild(configuration: Readonly<Record<string, unknown>>): void {
  const target = connectTarget(configuration);
  if (!target) return;
  let seq = 0;
  const send = (command: string, args: object) =>
    upstream.send(encodeMessage({ ...requestMessage(command, args), seq: ++seq }));
  const leave = () => {
    clearTimeout(timer);
    upstream.dispose();
  };
  let leaving = false;
  // The adapter, which is also the parent's, dies of an answer that nobody takes: a connection may
  // end only once this request is answered.
  const disconnect = () => {
    if (!leaving) send('disconnect', { terminateDebuggee: false });
    leaving = true;
  };
  const onMessage = (message: Message) => {
    if (message.type === 'event' && message.event === 'initialized') {
      send('configurationDone', {});
    } else if (message.type === 'event' && message.event === 'terminated') {
      disconnect();
    } else if (message.type === 'response' && message.command === 'initialize') {
      send('attach', { ...configuration, request: 'attach' });
    } else if (message.type === 'response' && message.command === 'attach') {
      disconnect();
    } else if (message.type === 'response' && message.command === 'disconnect') {
      leave();
    }
  };
  const upstream = connectAdapter(target, { onMessage, onEnd: leave });
  const timer = setTimeout(leave, GIVE_UP_MS);
  send('initialize', { adapterID: 'normscope', pathFormat: 'path' });
}
