import { etagOf, namesTag } from '../../records/answers/answer.ts';

/** An answer with a JSON body; `headers` come on top of the content type. */
export function json(status: number, value: unknown, headers?: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
  });
}

/** The answer of a read, or 304 when the caller has these bytes already (RFC 9110, section 13.1.2). */
export function jsonRead(request: Request, value: unknown): Response {
  const body = JSON.stringify(value);
  const tag = { ETag: etagOf(body), 'Cache-Control': 'no-cache' };
  const known = request.headers.get('if-none-match');
  if (known !== null && namesTag(known, tag.ETag, 'weak')) return new Response(null, { status: 304, headers: tag });
  return new Response(body, { headers: { ...jsonHeaders, ...tag } });
}

// RFC 8259, section 8.1: JSON is UTF-8, and its media type has no charset parameter.
const jsonHeaders = { 'Content-Type': 'application/json' };
