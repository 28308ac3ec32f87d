import { Problem } from '../../base/problem.ts';
import { namesTag } from '../../records/answer.ts';
import type { Storage, StoredBytes } from '../../storage/storage.ts';
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

/** Nothing that a file holds is run or loaded as part of this origin. */
const contentPolicy = "default-src 'none'; sandbox";

/** Answers with a stored file: all of it, a range, or 304. */
export async function sendFile(request: Request, storage: Storage, file: SentFile): Promise<Response> {
  const headers = headersOf(file);
  const known = request.headers.get('if-none-match');
  if (known !== null && namesTag(known, file.etag, 'weak')) {
    headers.delete('Content-Type');
    return new Response(null, { status: 304, headers });
  }
  const bytes = requestedBytes(request, file.size, file.etag);
  if (bytes === 'unsatisfiable') throw unsatisfiable(file.size);
  const range = bytes === 'all' ? { start: 0, end: file.size } : bytes;
  headers.set('Content-Length', String(range.end - range.start));
  if (bytes !== 'all') headers.set('Content-Range', `bytes ${range.start}-${range.end - 1}/${file.size}`);
  const status = bytes === 'all' ? 200 : 206;
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const body = await opened(storage.get(file.key, bytes === 'all' ? undefined : range));
  return new Response(body, { status, headers });
}

function headersOf({ mimeType, name, etag, cacheControl, negotiated, isDownload }: SentFile): Headers {
  const headers = new Headers({
    'Content-Type': mimeType,
    'Content-Disposition': contentDisposition(isInline(mimeType) && !isDownload ? 'inline' : 'attachment', name),
    'Content-Security-Policy': contentPolicy,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    'Cache-Control': cacheControl,
    ETag: etag,
  });
  if (negotiated) headers.set('Vary', 'Accept');
  return headers;
}

const unsatisfiable = (size: number): Problem =>
  new Problem(416, 'range_not_satisfiable', `The file has ${size} bytes.`, {
    headers: { 'Content-Range': `bytes */${size}` },
  });

/** A stream whose beginning has arrived, so that a storage that is away is reported as such and not as a cut answer. */
async function opened(bytes: StoredBytes): Promise<Blob | ReadableStream<Uint8Array>> {
  if (bytes instanceof Blob) return bytes;
  const reader = bytes.getReader();
  const first = await reader.read().catch((cause: unknown) => Promise.reject(storageUnavailable(cause)));
  let waiting: typeof first | undefined = first;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = waiting ?? (await reader.read());
      waiting = undefined;
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
