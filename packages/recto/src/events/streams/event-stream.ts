import type { StreamHolder } from './stream-holder.ts';
import type { StreamMessage } from './stream-message.ts';

/** Where a stream's text goes. */
export interface StreamSink {
  /** Whether the client is there, and the service goes on. */
  readonly isOpen: boolean;
  /** How many bytes the client has not taken. */
  readonly waiting: number;
  /** Sends without waiting for the client. */
  push(chunk: Uint8Array): void;
  /** Resolves when the client has room for more. */
  readonly write: (chunk: string | Uint8Array) => Promise<void>;
  /** Calls the listener when it is open no more; the last one that was given. */
  onEnd(listener: () => void): void;
}

/** What a client that reads slowly may leave waiting, in bytes; then its stream ends, and it comes back with its position. */
const mostWaiting = 512 * 1024;

const encoder = new TextEncoder();

/** One open stream. */
export class EventStream {
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Whose rights it has. */
  readonly holder: StreamHolder;
  /** Events up to this one are not for it. */
  position: number;
  readonly #sink: StreamSink;
  readonly #resolve: () => void;
  #isEnded = false;

  constructor(sink: StreamSink, position: number, holder: StreamHolder) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sink = sink;
    this.#resolve = resolve;
    this.position = position;
    this.holder = holder;
    this.ended = promise;
    sink.onEnd(() => this.end());
  }

  get isOpen(): boolean {
    return this.#sink.isOpen && !this.#isEnded;
  }

  /** Lets the client come back. */
  end(): void {
    this.#isEnded = true;
    this.#resolve();
  }

  /** Sends without waiting for the client. */
  send(chunk: string | Uint8Array): void {
    if (!this.isOpen) return;
    if (this.#sink.waiting > mostWaiting) this.end();
    else this.#sink.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
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
