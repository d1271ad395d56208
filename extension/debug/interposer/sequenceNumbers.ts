import type { Message, Request, Response } from './messages';

/**
 * Keeps two number spaces apart, so that requests of our own and answers of our own leave each
 * side's numbering without gaps or clashes.
 */
export class SequenceNumbers {
  private toClient = 0;
  private toAdapter = 0;
  /** Number at the adapter → the client's own request. */
  private readonly forwarded = new Map<number, number>();
  /** Number at the client → the adapter's own (reverse) request. */
  private readonly reversed = new Map<number, number>();
  private readonly asked = new Map<number, (response: Response) => void>();

  /** Numbers a message that leaves for the adapter. */
  forAdapter(message: Message): Message {
    const seq = ++this.toAdapter;
    if (message.type === 'request') this.forwarded.set(seq, message.seq);
    return { ...message, seq };
  }

  /** Numbers a request of our own; `answer` gets its response. */
  forAsking(request: Request, answer: (response: Response) => void): Request {
    const seq = ++this.toAdapter;
    this.asked.set(seq, answer);
    return { ...request, seq };
  }

  /** The answer to a request of our own is not waited for any more. */
  forget(request: Request): void {
    this.asked.delete(request.seq);
  }

  /** Numbers a message that leaves for the client. */
  forClient(message: Message): Message {
    const seq = ++this.toClient;
    if (message.type === 'request') this.reversed.set(seq, message.seq);
    return { ...message, seq };
  }

  /** Restores whom a message from the adapter answers; nothing when it answers us or nobody. */
  fromAdapter(message: Message): Message | undefined {
    if (message.type !== 'response') return message;
    const answer = this.asked.get(message.request_seq);
    if (answer) {
      this.asked.delete(message.request_seq);
      answer(message);
      return undefined;
    }
    return restored(this.forwarded, message);
  }

  /** Restores whom a message from the client answers; nothing when it answers nobody. */
  fromClient(message: Message): Message | undefined {
    return message.type === 'response' ? restored(this.reversed, message) : message;
  }
}

function restored(numbers: Map<number, number>, response: Response): Response | undefined {
  const request_seq = numbers.get(response.request_seq);
  numbers.delete(response.request_seq);
  return request_seq === undefined ? undefined : { ...response, request_seq };
}
