import { type FromFactsThread, factOf, type ToFactsThread } from './file-facts-messages.ts';
import { hasBoxes, movieDuration } from './movie-duration.ts';

// The program of a thread: reads PDFs, audio and video with libraries that hostile files can keep busy. It is ended from outside.

declare const self: Worker;

const asked = new Map<number, (bytes: Uint8Array<ArrayBuffer>) => void>();
let calls = 0;

const send = (message: FromFactsThread): void => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToFactsThread>): void => {
  switch (data.kind) {
    case 'read':
      read(data.mimeType, data.size).then(
        (found) => send({ kind: 'done', found }),
        // A file that is damaged or no such file.
        () => send({ kind: 'done', found: null }),
      );
      return;
    case 'range':
      asked.get(data.call)?.(data.bytes);
      asked.delete(data.call);
      return;
  }
};

/** Bytes of the file. Never resolves where the process gives no more of them: it ends the thread. */
function range(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  calls += 1;
  const call = calls;
  return new Promise((resolve) => {
    asked.set(call, resolve);
    send({ kind: 'range', call, start, end });
  });
}

const read = (mimeType: string, size: number): Promise<number | null> =>
  factOf(mimeType) === 'pages' ? pagesOf(size) : durationOf(mimeType, size);

async function pagesOf(size: number): Promise<number | null> {
  const { getResolvedPDFJS } = await import('unpdf');
  const { getDocument, PDFDataRangeTransport } = await getResolvedPDFJS();
  send({ kind: 'began' });
  class Ranges extends PDFDataRangeTransport {
    override requestDataRange(begin: number, end: number): void {
      void range(begin, end).then((bytes) => this.onDataRange(begin, bytes));
    }
  }
  const task = getDocument({
    range: new Ranges(size, null),
    rangeChunkSize: 64 * 1024,
    // Only what leads to the number of pages.
    disableAutoFetch: true,
    disableStream: true,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
  });
  try {
    return (await task.promise).numPages;
  } finally {
    await task.destroy();
  }
}

/** A stored file as far as the library uses a `Blob`. */
class StoredBlob extends Blob {
  readonly #start: number;
  readonly #end: number;

  constructor(start: number, end: number, type: string) {
    super([], { type });
    this.#start = start;
    this.#end = end;
  }

  override get size(): number {
    return this.#end - this.#start;
  }

  override slice(start = 0, end = this.size): StoredBlob {
    const begin = Math.min(this.#start + start, this.#end);
    return new StoredBlob(begin, Math.max(begin, Math.min(this.#start + end, this.#end)), this.type);
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return (await range(this.#start, this.#end)).buffer;
  }
}

async function durationOf(mimeType: string, size: number): Promise<number | null> {
  const { parseBlob } = await import('music-metadata');
  send({ kind: 'began' });
  const movie = hasBoxes(mimeType) ? await movieDuration(range, size).catch(() => null) : null;
  if (movie) return movie;
  const file = new StoredBlob(0, size, mimeType);
  const options = { skipCovers: true, skipPostHeaders: true };
  // What the head of the file says; where it says nothing, the file is read on, as far as it may be.
  const head = await parseBlob(file, options);
  const { duration = null } = head.format.duration
    ? head.format
    : (await parseBlob(file, { ...options, duration: true })).format;
  return duration;
}
