import { unavailable } from '../base/problem.ts';

/** Where a streamed answer is written to. */
export interface StreamWriter {
  /** Aborted when the client has gone or the service stops. */
  readonly signal: AbortSignal;
  /** Resolves when the client has room for more; rejects with the signal's reason once that is aborted. */
  readonly write: (chunk: string | Uint8Array) => Promise<void>;
}

/** Writes an answer; when it resolves, the answer is complete. */
export type StreamSource = (writer: StreamWriter) => Promise<void>;

/** The answers of this process that are still being sent. Closes them when the service stops. */
export class OpenStreams {
  readonly #open = new Set<OpenStream>();
  readonly #onError: (error: unknown) => void;
  #isClosed = false;

  /** `onError` gets what a source throws that nobody aborted. */
  constructor(onError: (error: unknown) => void = () => undefined) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Begins to write; throws 503 when the service stops. */
  open(source: StreamSource): ReadableStream<Uint8Array> {
    if (this.#isClosed) throw unavailable('stopping', 'The service is stopping.');
    const stream = new OpenStream(() => this.#open.delete(stream));
    this.#open.add(stream);
    void this.#run(stream, source);
    return stream.body;
  }

  /** Ends all of them, and opens no more. What has been written is still sent. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }

  async #run(stream: OpenStream, source: StreamSource): Promise<void> {
    try {
      await source(stream);
      stream.end();
    } catch (error) {
      if (stream.signal.aborted) return;
      this.#onError(error);
      stream.fail(error);
    }
  }
}

/** What a client that reads slowly may leave waiting. */
const bufferBytes = 64 * 1024;

class OpenStream implements StreamWriter {
  readonly body: ReadableStream<Uint8Array>;
  readonly #ending = new AbortController();
  readonly #done: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(done: () => void) {
    this.#done = done;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
          this.#controller = controller;
        },
        pull: () => this.#room?.resolve(),
        cancel: () => void this.#finish(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: bufferBytes }),
    );
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  readonly write = async (chunk: string | Uint8Array): Promise<void> => {
    this.signal.throwIfAborted();
    this.#controller?.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
    if ((this.#controller?.desiredSize ?? 0) > 0) return;
    this.#room = Promise.withResolvers();
    await this.#room.promise;
    this.signal.throwIfAborted();
  };

  /** The answer is complete as it is. */
  end(): void {
    if (this.#finish()) this.#controller?.close();
  }

  /** The client sees that the answer is not complete. */
  fail(error: unknown): void {
    if (this.#finish()) this.#controller?.error(error);
  }

  /** Whether it was open. */
  #finish(): boolean {
    if (this.signal.aborted) return false;
    this.#done();
    this.#ending.abort();
    this.#room?.resolve();
    return true;
  }
}

const encoder = new TextEncoder();
