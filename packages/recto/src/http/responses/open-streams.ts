import { unavailable } from '../../base/problem.ts';

/** Where a streamed answer is written to. */
export interface StreamWriter {
  /** Aborted when the client has gone or the service stops. */
  readonly signal: AbortSignal;
  /** False from then on. */
  readonly isOpen: boolean;
  /** Calls the listener then; the last one that was given. */
  onEnd(listener: () => void): void;
  /** Resolves when the client has room for more; rejects with the signal's reason once that is aborted. */
  readonly write: (chunk: string | Uint8Array) => Promise<void>;
  /** Sends without waiting for the client, while it is open. */
  push(chunk: Uint8Array): void;
  /** How many bytes the client has not taken. */
  readonly waiting: number;
}

/** Writes an answer; when it resolves, the answer is complete. */
export type StreamSource = (writer: StreamWriter) => Promise<void>;

/** What a client gets when the service stops: an answer that ends there, or one that is broken off, because a part of it is of no use. */
export type StreamKind = 'open_ended' | 'whole';

/** The answers of this process that are still being sent. Closes them when the service stops. */
export class OpenStreams {
  readonly #open = new Set<OpenStream>();
  readonly #onError: (error: unknown) => void;
  readonly #forget = (stream: OpenStream): void => void this.#open.delete(stream);
  #isClosed = false;

  /** `onError` gets what a source throws that nobody aborted. */
  constructor(onError: (error: unknown) => void = () => undefined) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Begins to write; throws 503 when the service stops. */
  open(source: StreamSource, kind: StreamKind = 'open_ended'): ReadableStream<Uint8Array> {
    if (this.#isClosed) throw unavailable('shutting_down', 'The service is stopping.');
    const stream = new OpenStream(this.#forget, kind);
    this.#open.add(stream);
    void this.#run(stream, source);
    return stream.body;
  }

  /** Ends all of them, and opens no more. What has been written is still sent, unless it is a part of what has to be whole. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) {
      if (stream.kind === 'whole') stream.fail(new Error('The service is stopping.'));
      else stream.end();
    }
  }

  async #run(stream: OpenStream, source: StreamSource): Promise<void> {
    try {
      await source(stream);
      stream.end();
    } catch (error) {
      if (!stream.isOpen) return;
      this.#onError(error);
      stream.fail(error);
    }
  }
}

/** What a client that reads slowly may leave waiting until a source waits. */
const bufferBytes = 64 * 1024;

/** Of the runtime's own queue: for a larger one it reserves memory for each stream. */
const queue: QueuingStrategy<Uint8Array> = { highWaterMark: 1, size: (chunk) => chunk?.byteLength ?? 0 };

/** There may be many that wait for most of the time: what not all of them need is made when it is asked for. */
class OpenStream implements StreamWriter {
  readonly body: ReadableStream<Uint8Array>;
  readonly kind: StreamKind;
  readonly #done: (stream: OpenStream) => void;
  #isEnded = false;
  #ending: AbortController | undefined;
  #onEnd: (() => void) | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(done: (stream: OpenStream) => void, kind: StreamKind) {
    this.#done = done;
    this.kind = kind;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
          this.#controller = controller;
        },
        pull: () => this.#room?.resolve(),
        cancel: () => void this.#finish(),
      },
      queue,
    );
  }

  get signal(): AbortSignal {
    this.#ending ??= new AbortController();
    if (this.#isEnded) this.#ending.abort();
    return this.#ending.signal;
  }

  get isOpen(): boolean {
    return !this.#isEnded;
  }

  get waiting(): number {
    const room = this.#controller?.desiredSize ?? 1;
    return 1 - room;
  }

  get write(): StreamWriter['write'] {
    return (chunk) => this.#write(chunk);
  }

  onEnd(listener: () => void): void {
    this.#onEnd = listener;
    if (this.#isEnded) listener();
  }

  push(chunk: Uint8Array): void {
    if (!this.#isEnded) this.#controller?.enqueue(chunk);
  }

  /** The answer is complete as it is. */
  end(): void {
    if (this.#finish()) this.#controller?.close();
  }

  /** The client sees that the answer is not complete. */
  fail(error: unknown): void {
    if (this.#finish()) this.#controller?.error(error);
  }

  async #write(chunk: string | Uint8Array): Promise<void> {
    if (this.#isEnded) this.signal.throwIfAborted();
    this.#controller?.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
    if (this.waiting < bufferBytes) return;
    this.#room = Promise.withResolvers();
    await this.#room.promise;
    if (this.#isEnded) this.signal.throwIfAborted();
  }

  /** Whether it was open. */
  #finish(): boolean {
    if (this.#isEnded) return false;
    this.#isEnded = true;
    this.#done(this);
    this.#ending?.abort();
    this.#room?.resolve();
    this.#onEnd?.();
    return true;
  }
}

const encoder = new TextEncoder();
