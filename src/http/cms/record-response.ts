import { type Answer, namesTag } from '../../records/answer.ts';
import { type Reply, responseOf } from '../reply.ts';

/** Headers of answers that are remembered and sent again. A `Headers` is copied into a response for less than a literal is read. */
const remembered = new WeakMap<Answer, Headers>();

/**
 * A read's answer, or 304 when the caller has these bytes already (RFC 9110, section 13.1.2).
 * `Cache-Control: no-cache` lets anyone keep the bytes but ask before using them again.
 */
export function readResponse(answer: Answer, request: Request): Response {
  const known = request.headers.get('if-none-match');
  const headers = remembered.get(answer) ?? readHeaders(answer);
  if (known === null || !namesTag(known, answer.etag, 'weak')) return new Response(answer.body, { headers });
  const unchanged = new Headers(headers);
  unchanged.delete('Content-Type');
  return new Response(null, { status: 304, headers: unchanged });
}

function readHeaders(answer: Answer): Headers {
  const headers = new Headers({ 'Content-Type': 'application/json', ETag: answer.etag, 'Cache-Control': 'no-cache' });
  if (answer.cacheStatus !== undefined) headers.set('Cache-Status', answer.cacheStatus);
  if (answer.shared === true) remembered.set(answer, headers);
  return headers;
}

/** The answer to a write: the record as it is now. */
export function writeReply({ body, etag }: Answer, status: 200 | 201, location?: string): Reply {
  const headers: Record<string, string> = { 'Content-Type': 'application/json', ETag: etag };
  if (location !== undefined) headers.Location = location;
  return { status, headers, body: typeof body === 'string' ? body : new TextDecoder().decode(body) };
}

export const writeResponse = (answer: Answer, status: 200 | 201): Response => responseOf(writeReply(answer, status));

export const removedReply: Reply = { status: 204, headers: {}, body: null };
