import { type BunWorker, bunWorker } from '../base/bun-worker.ts';
import { programUrl } from '../base/program.ts';
import { type Storage, storedChunks } from '../storage/storage.ts';
import type { FromFactsThread, ToFactsThread } from './file-facts-messages.ts';

export interface StoredKey {
  readonly key: string;
  readonly size: number;
  readonly mimeType: string;
}

/** What one file may cost. */
export interface FactsLimits {
  /** Milliseconds from when the libraries are loaded. */
  readonly time: number;
  readonly bytes: number;
  readonly ranges: number;
  /** Memory that the process gains meanwhile, in bytes. */
  readonly memory: number;
}

/** How often memory is looked at, in milliseconds. */
const watchMs = 20;

/** A thread that reads one file at a time. One that does not come to an end, or costs too much, is ended with its thread. */
export class FactsThread {
  readonly #worker: BunWorker = bunWorker(
    new Worker(programUrl('./file-facts.worker.ts', import.meta.url), { name: 'recto files', smol: true }),
  );
  #isAlive = true;

  constructor() {
    this.#worker.unref();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  end(): void {
    if (this.#isAlive) this.#worker.terminate();
    this.#isAlive = false;
  }

  /** The number that the file has: of pages, or of seconds. Null where it has none, or a limit or the signal ended the reading. */
  async read(storage: Storage, file: StoredKey, limits: FactsLimits, signal: AbortSignal): Promise<number | null> {
    const outcome = Promise.withResolvers<number | null>();
    const giveUp = (): void => {
      this.end();
      outcome.resolve(null);
    };
    const before = process.memoryUsage.rss();
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > limits.memory) giveUp();
    }, watchMs);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    let timer: Timer | undefined;
    let [bytes, ranges] = [0, 0];
    this.#worker.onerror = (event) => {
      event.preventDefault();
      giveUp();
    };
    this.#worker.onmessage = ({ data }: MessageEvent<FromFactsThread>) => {
      if (data.kind === 'done') return outcome.resolve(data.found);
      if (data.kind === 'began') {
        timer = setTimeout(giveUp, limits.time);
        return;
      }
      ranges += 1;
      const [start, end] = [data.start, Math.min(data.end, file.size)];
      bytes += end - start;
      if (!(start >= 0 && start <= end) || bytes > limits.bytes || ranges > limits.ranges) return giveUp();
      stored(storage, file.key, start, end).then(
        (chunk) => this.#post({ kind: 'range', call: data.call, bytes: chunk }),
        // The storage is away.
        giveUp,
      );
    };
    this.#post({ kind: 'read', mimeType: file.mimeType, size: file.size });
    try {
      return await outcome.promise;
    } finally {
      clearInterval(watch);
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }

  #post(message: ToFactsThread): void {
    if (this.#isAlive) this.#worker.postMessage(message);
  }
}

async function stored(storage: Storage, key: string, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(end - start);
  if (start === end) return bytes;
  let at = 0;
  for await (const chunk of storedChunks(storage.get(key, { start, end }))) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
