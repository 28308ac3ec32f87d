import { cutMarked } from './truncated-lists.ts';

/** What a read or write returns: JSON text with its entity tag. */
export interface Answer {
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Strong entity tag (RFC 9110, section 8.8.3), quotes included. */
  readonly etag: string;
  /** Value of `Cache-Status` (RFC 9211), where the endpoint has a cache. */
  readonly cacheStatus?: string;
  /** Is not remembered, because a better one follows soon. */
  readonly passing?: true;
  /** This very object answers other requests too. */
  readonly shared?: true;
}

/** The entity tag of a body: equal bytes, equal tag. Two independent 64-bit hashes, so that no two bodies meet by chance. */
export function etagOf(body: string): string {
  return `"${Bun.hash(body).toString(36)}${Bun.hash(body, 1n).toString(36)}"`;
}

/** The answer with this text, in which a statement may have marked lists that are to be cut. */
export function answerOf(text: string, totals?: ReadonlyMap<string, number>): Answer {
  const body = cutMarked(text, totals);
  return { body, etag: etagOf(body) };
}

/**
 * Whether a condition header (`If-Match`, `If-None-Match`) names the tag (RFC 9110, section 8.8.3.2).
 * Weak comparison takes `W/"x"` for `"x"`; strong comparison never matches a weak tag.
 */
export function namesTag(header: string, etag: string, comparison: 'weak' | 'strong'): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((entry) => {
    const tag = entry.trim();
    return tag === etag || (comparison === 'weak' && tag.startsWith('W/') && tag.slice(2) === etag);
  });
}
