import type { CreateOptions } from './collection.ts';
import { statusOf } from './recto-error.ts';
import { given, type RequestOptions, type Send, sleep } from './transport.ts';

export interface UploadOptions extends CreateOptions {
  /** Default: that of the `File`. */
  readonly name?: string;
  readonly alt?: string;
  readonly caption?: string;
  readonly folder?: string;
  readonly visibility?: 'public' | 'private';
  /** Called with the bytes that the service has, and the size of the file. */
  readonly onProgress?: (sent: number, size: number) => void;
  /** Where a large upload stands: the call fills it. Given to another call with the same file, the upload goes on from there. */
  readonly resume?: { address?: string | undefined };
}

/** A file of up to this size is one request, and larger ones are sent in parts of it. */
const partSize = 2 ** 22;

/** Uploads a file. A large one goes on where it was when the connection breaks (tus 1.0, https://tus.io). */
export async function upload<Media>(
  send: Send,
  create: (path: string, body: Blob, options: CreateOptions & RequestOptions) => Promise<Media>,
  file: Blob & { readonly name?: string; readonly lastModified?: number },
  {
    name = file.name ?? 'file',
    onProgress,
    resume = {},
    signal,
    timeout,
    idempotency_key,
    ...about
  }: UploadOptions = {},
): Promise<Media> {
  const { size } = file;
  const call = { signal, timeout };
  onProgress?.(0, size);
  if (size <= partSize) {
    const made = await create('/media', file, { ...call, idempotency_key, query: { name, ...about } });
    onProgress?.(size, size);
    return made;
  }
  const tus = (
    method: string,
    path: string,
    more?: Readonly<Record<string, string>>,
    body?: Blob,
  ): Promise<Headers> => {
    const headers = { 'Tus-Resumable': '1.0.0', ...more };
    return send(method, path, { ...call, body, headers }, async (response) => response.headers);
  };
  const path = '/media/uploads';
  // What the service returns of an upload, and by which a file is known again.
  const metadata = given({ filename: name, size, lastModified: file.lastModified, ...about })
    .map(([key, value]) => `${key} ${btoa(String.fromCharCode(...new TextEncoder().encode(`${value}`)))}`.trim())
    .join();
  for (let sent = 0, stuck = 0, kept: unknown = resume.address; ; kept = false) {
    // The last part of the address that the service returns names the upload.
    resume.address ??=
      path +
      /\/[^/]*$/.exec(
        (await tus('POST', path, { 'Upload-Length': `${size}`, 'Upload-Metadata': metadata })).get('location') ?? '',
      );
    const { address } = resume;
    // What the service has is known to it alone.
    const state = await tus('HEAD', address).catch((error: unknown): undefined => {
      // It has not kept the upload for so long.
      if (!kept || !/^4(04|10)$/.test(`${statusOf(error)}`)) throw error;
    });
    // One of another file is left alone: the parts of two files would be stored as one.
    if (kept && state?.get('upload-metadata') !== metadata) {
      resume.address = undefined;
      continue;
    }
    const before = sent;
    sent = Number(state?.get('upload-offset'));
    stuck = sent > before ? 0 : stuck + 1;
    onProgress?.(sent, size);
    const id = state?.get('recto-media');
    if (id) return send('GET', `/media/${id}`, call);
    try {
      const type = 'application/offset+octet-stream';
      await tus(
        'PATCH',
        address,
        { 'Upload-Offset': `${sent}`, 'Content-Type': type },
        file.slice(sent, sent + partSize),
      );
    } catch (error) {
      // A part may get nowhere five times in a row. Others are rejected for good, but for an offset that an earlier part has moved meanwhile.
      if (stuck > 5 || !/^(0|409|423|5..)$/.test(`${statusOf(error)}`)) throw error;
      await sleep(100 * 2 ** stuck, signal);
    }
  }
}
