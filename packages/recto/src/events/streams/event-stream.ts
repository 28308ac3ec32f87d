import type { Caller } from '../../base/caller.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { StreamMessage } from './stream-message.ts';

/** Where a stream's text goes. */
export interface StreamSink {
  /** Aborted when the client has gone or the service stops. */
  readonly signal: AbortSignal;
  /** Resolves when the client has room for more. */
  readonly write: (chunk: string | Uint8Array) => Promise<void>;
}

/** What a client that reads slowly may leave waiting, in bytes; then its stream ends, and it comes back with its position. */
const mostWaiting = 512 * 1024;

const encoder = new TextEncoder();

/** One open stream. */
export class EventStream {
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** The caller whose rights the stream has, as of now; throws or rejects where they have ended. */
  readonly whoNow: () => MaybePromise<Caller>;
  /** Events up to this one are not for it. */
  position: number;
  readonly #sink: StreamSink;
  readonly #end = Promise.withResolvers<void>();
  #isEnded = false;
  #isWaiting = false;
  #waiting = 0;

  constructor(sink: StreamSink, position: number, whoNow: () => MaybePromise<Caller>) {
    this.#sink = sink;
    this.position = position;
    this.whoNow = whoNow;
    this.ended = this.#end.promise;
    sink.signal.addEventListener('abort', () => this.end());
  }

  get isOpen(): boolean {
    return !this.#sink.signal.aborted && !this.#isEnded;
  }

  /** Lets the client come back. */
  end(): void {
    this.#isEnded = true;
    this.#end.resolve();
  }

  /** Sends without waiting for the client. */
  send(chunk: string | Uint8Array): void {
    if (!this.isOpen) return;
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
    if (this.#isWaiting) {
      this.#waiting += bytes.length;
      if (this.#waiting > mostWaiting) {
        this.end();
        return;
      }
    }
    this.#isWaiting = true;
    const room = this.#sink.write(bytes);
    room.then(
      () => {
        this.#isWaiting = false;
        this.#waiting = 0;
      },
      () => this.end(),
    );
  }

  /** Sends, and waits until the client has room for more. */
  async write(text: string): Promise<void> {
    if (this.isOpen) await this.#sink.write(text);
  }

  /** Sends what is behind its position. `all` is the text of all messages, made once for all streams. */
  sendMessages(messages: readonly StreamMessage[], all: Uint8Array): void {
    const first = messages[0];
    if (first === undefined) return;
    if (this.position < first.seq) {
      this.send(all);
      return;
    }
    const rest = messages.filter(({ seq }) => seq > this.position).map(({ text }) => text);
    if (rest.length > 0) this.send(rest.join(''));
  }
}
