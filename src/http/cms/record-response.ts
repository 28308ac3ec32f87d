import { type Answer, namesTag } from '../../records/answer.ts';

/**
 * A read's answer, or 304 when the caller has these bytes already (RFC 9110, section 13.1.2).
 * `Cache-Control: no-cache` lets anyone keep the bytes but ask before using them again.
 */
export function readResponse(answer: Answer, request: Request): Response {
  const headers: Record<string, string> = { ETag: answer.etag, 'Cache-Control': 'no-cache' };
  if (answer.cacheStatus !== undefined) headers['Cache-Status'] = answer.cacheStatus;
  const known = request.headers.get('if-none-match');
  if (known !== null && namesTag(known, answer.etag, 'weak')) return new Response(null, { status: 304, headers });
  headers['Content-Type'] = 'application/json';
  return new Response(answer.body, { headers });
}

/** The answer to a write: the record as it is now. */
export function writeResponse(answer: Answer, status: 200 | 201, location?: string): Response {
  const headers: Record<string, string> = { 'Content-Type': 'application/json', ETag: answer.etag };
  if (location !== undefined) headers.Location = location;
  return new Response(answer.body, { status, headers });
}

export const removedResponse = (): Response => new Response(null, { status: 204 });
