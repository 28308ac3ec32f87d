import type { RequestContext } from '../../http/operation.ts';
import { answerHeaders } from '../../http/responses/answer-headers.ts';
import { type Reply, responseOf } from '../../http/responses/reply.ts';
import { type Answer, namesTag } from '../../records/answers/answer.ts';

// Headers are made once and copied into each response: that costs a third of reading them from a literal.

/** `no-cache` lets anyone keep the bytes but ask before using them again. */
const readHeaders = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' };
interface SharedHeaders {
  readonly plain: Headers;
  readonly withCacheStatus: Headers;
}

/** By the language of the answers. Those that a service has are few. */
const shared = new Map<string | undefined, SharedHeaders>();

function sharedHeaders(language: string | undefined): SharedHeaders {
  const known = shared.get(language);
  if (known !== undefined) return known;
  const own = { ...readHeaders, ...(language === undefined ? {} : { 'Content-Language': language }) };
  const made = { plain: answerHeaders(own), withCacheStatus: answerHeaders(own) };
  shared.set(language, made);
  return made;
}

/** Of answers that are remembered and sent again. */
const remembered = new WeakMap<Answer, Headers>();

/** A read's answer (in a language, where the records have any), or 304 when the caller has these bytes already (RFC 9110, section 13.1.2). */
export function readResponse(
  answer: Answer,
  context: Pick<RequestContext, 'request' | 'respond'>,
  language?: string,
): Response {
  const known = context.request.headers.get('if-none-match');
  const headers = remembered.get(answer) ?? headersOf(answer, language);
  if (known === null || !namesTag(known, answer.etag, 'weak')) return context.respond(answer.body, headers);
  const unchanged = new Headers(headers);
  unchanged.delete('Content-Type');
  return context.respond(null, unchanged, 304);
}

function headersOf(answer: Answer, language: string | undefined): Headers {
  const { etag, cacheStatus } = answer;
  const { plain, withCacheStatus } = sharedHeaders(language);
  if (cacheStatus === undefined) {
    plain.set('ETag', etag);
    return plain;
  }
  withCacheStatus.set('ETag', etag);
  withCacheStatus.set('Cache-Status', cacheStatus);
  if (answer.shared !== true) return withCacheStatus;
  const own = new Headers(withCacheStatus);
  remembered.set(answer, own);
  return own;
}

/** The answer to a write: the record as it is now, and where a new one is. `language`: the one that it is in. */
export function writeReply({ body, etag }: Answer, status: 200 | 201, location?: string, language?: string): Reply {
  const headers: Record<string, string> = { 'Content-Type': 'application/json', ETag: etag };
  if (location !== undefined) headers.Location = location;
  if (language !== undefined) headers['Content-Language'] = language;
  return { status, headers, body: typeof body === 'string' ? body : new TextDecoder().decode(body) };
}

export const writeResponse = (answer: Answer, status: 200 | 201): Response => responseOf(writeReply(answer, status));

export const removedReply: Reply = { status: 204, headers: {}, body: null };
