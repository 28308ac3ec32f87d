import { Problem } from '../../base/problem.ts';
import type { RequestContext } from '../../http/operation.ts';
import { addVary, answerHeaders } from '../../http/responses/answer-headers.ts';
import { namesTag } from '../../records/answers/answer.ts';
import type { ByteRange, Storage } from '../../storage/storage.ts';
import { storageUnavailable } from '../../storage/storage-problem.ts';
import { requestedBytes } from './byte-range.ts';
import { contentDisposition, isInline } from './content-disposition.ts';

/** Bytes in the storage, and how they are answered. */
export interface SentFile {
  readonly key: string;
  readonly size: number;
  readonly mimeType: string;
  readonly name: string;
  /** Quotes included; strong. */
  readonly etag: string;
  readonly cacheControl: string;
  /** Whether the answer depends on `Accept`. */
  readonly negotiated: boolean;
  /** As a download, whatever the type. */
  readonly isDownload: boolean;
}

type SendContext = Pick<RequestContext, 'request' | 'respond'>;

/** Nothing that a file holds is run or loaded as part of this origin. */
const contentPolicy = "default-src 'none'; sandbox";

/** Answers with a stored file: all of it, a range, or 304. `kept` are its bytes, where they are in memory. */
export async function sendFile(
  context: SendContext,
  storage: Storage,
  file: SentFile,
  kept?: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const { request } = context;
  const headers = headersOf(file);
  const condition = request.headers.get('if-none-match');
  if (condition !== null && namesTag(condition, file.etag, 'weak')) {
    const unchanged = new Headers(headers);
    unchanged.delete('Content-Type');
    return context.respond(null, unchanged, 304);
  }
  const bytes = requestedBytes(request, file.size, file.etag);
  if (bytes === 'unsatisfiable') throw unsatisfiable(file.size);
  if (bytes === 'all') {
    headers.set('Content-Length', String(file.size));
    if (request.method === 'HEAD') {
      if (kept === undefined) await requireWhole(storage, file);
      return context.respond(null, headers);
    }
    return context.respond(kept ?? (await opened(storage, file, undefined, request.headers.has('range'))), headers);
  }
  const partial = new Headers(headers);
  partial.set('Content-Length', String(bytes.end - bytes.start));
  partial.set('Content-Range', `bytes ${bytes.start}-${bytes.end - 1}/${file.size}`);
  const body = kept?.slice(bytes.start, bytes.end) ?? (await opened(storage, file, bytes));
  return context.respond(body, partial, 206);
}

/** Streams of so many bytes are read whole before they are answered, so that a damaged one is an error and no cut answer. */
const readAhead = 64 * 1024;

/** Of files that are sent again. */
const known = new WeakMap<SentFile, Headers>();

function headersOf(file: SentFile): Headers {
  const remembered = known.get(file);
  if (remembered !== undefined) return remembered;
  const { mimeType, name, etag, cacheControl, negotiated, isDownload } = file;
  const headers = answerHeaders({
    'Content-Type': mimeType,
    'Content-Disposition': contentDisposition(isInline(mimeType) && !isDownload ? 'inline' : 'attachment', name),
    'Content-Security-Policy': contentPolicy,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Accept-Ranges': 'bytes',
    'Cache-Control': cacheControl,
    ETag: etag,
  });
  if (negotiated) addVary(headers, 'Accept');
  known.set(file, headers);
  return headers;
}

const unsatisfiable = (size: number): Problem =>
  new Problem(416, 'range_not_satisfiable', `The file has ${size} bytes.`, {
    headers: { 'Content-Range': `bytes */${size}` },
  });

/**
 * Bytes that are there: what the storage does not have, or a storage that is away, is reported as such and not as a cut answer, and so
 * is a file of another size. Of a stream, the beginning has arrived, and all of a small one; one that ends too early is cut off, so that
 * no client takes it for the file. `asStream`: never a file, to which the runtime applies a `Range` header by rules of its own.
 */
async function opened(
  storage: Storage,
  file: SentFile,
  range?: ByteRange,
  asStream = false,
): Promise<Blob | ReadableStream<Uint8Array>> {
  const bytes = storage.get(file.key, range);
  if (bytes instanceof Blob) {
    await requireWhole(storage, file);
    if (!asStream) return bytes;
  }
  const reader = (bytes instanceof Blob ? bytes.stream() : bytes).getReader();
  const length = range === undefined ? file.size : range.end - range.start;
  let count = 0;
  const read = async () => {
    const next = await reader.read();
    count += next.value?.length ?? 0;
    if (count > length) throw fileDamaged(file, 'more');
    if (next.done && count < length) throw fileDamaged(file, range === undefined ? count : 'fewer');
    return next;
  };
  const ahead: Awaited<ReturnType<typeof read>>[] = [];
  try {
    do ahead.push(await read());
    while (length <= readAhead && ahead.at(-1)?.done === false);
  } catch (cause) {
    throw cause instanceof Problem ? cause : storageUnavailable(cause);
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = ahead.shift() ?? (await read());
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Rejects for a file that the storage does not have (503), or has with another size (500). */
async function requireWhole(storage: Storage, file: SentFile): Promise<void> {
  const found = await storage.stat(file.key);
  if (found === undefined) throw storageUnavailable(new Error(`The storage has no ${file.key}.`));
  if (found.size !== file.size) throw fileDamaged(file, found.size);
}

/** The log has the reason. */
function fileDamaged({ key, size }: SentFile, found: number | 'more' | 'fewer'): Problem {
  const has = typeof found === 'number' ? `${found} bytes instead of ${size}` : `${found} than ${size} bytes`;
  return new Problem(500, 'file_damaged', 'The stored file is damaged, so it is not served.', {
    cause: new Error(`${key} has ${has}. "recto media verify" lists all such files.`),
  });
}
