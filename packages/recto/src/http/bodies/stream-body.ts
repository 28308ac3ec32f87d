import { bodyChunks, rejectEncoding, unsupportedMediaType } from './body-bytes.ts';
import type { StreamBody } from './body-spec.ts';

/** A body's bytes as they arrive. Rejects other media types (415) and more bytes than the operation accepts (413). */
export function readStreamBody(request: Request, { mediaTypes, maxBytes }: StreamBody): AsyncIterable<Uint8Array> {
  const [sent = ''] = (request.headers.get('content-type') ?? '').split(';');
  const isTaken = mediaTypes.includes('*') || mediaTypes.includes(sent.trim().toLowerCase());
  if (!isTaken) throw unsupportedMediaType(`The body must be of the media type ${mediaTypes.join(' or ')}.`);
  rejectEncoding(request);
  return bodyChunks(request, maxBytes);
}
