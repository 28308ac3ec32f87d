import { badRequest, type Problem } from '../../base/problem.ts';
import { type IncludeTree, includedByEach } from '../../query/record-parts.ts';
import { cutMarked, shortestTruncated } from './truncated-lists.ts';

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
  /** Its text has links to records, with the addresses that are stored; see `followLinks`. */
  readonly linked?: true;
}

/** The entity tag of a body: equal bytes, equal tag. Two independent 64-bit hashes, so that no two bodies meet by chance. */
export function etagOf(body: string): string {
  return `"${Bun.hash(body).toString(36)}${Bun.hash(body, 1n).toString(36)}"`;
}

/** The tag of an answer whose links have other addresses than the ones that are stored. It begins with that of the stored text. */
export const followedTag = (etag: string, body: string): string =>
  `${etag.slice(0, -1)}.${Bun.hash(body).toString(36)}"`;

/**
 * Whether an `If-Match` header names a stored state by its tag. A record stays in that state while records change that its links
 * lead to.
 */
export const namesState = (header: string, etag: string): boolean =>
  namesTag(header.replaceAll(/\.[0-9a-z]+"/g, '"'), etag, 'strong');

/** Whether a text is long enough for a list in it to be truncated. */
export const mayHaveTruncated = (text: string): boolean => text.length >= shortestTruncated;

/** The answer with this text, in which a statement may have marked lists that are to be cut. */
export function answerOf(text: string, totals?: ReadonlyMap<string, number>): Answer {
  const body = mayHaveTruncated(text) ? cutMarked(text, totals) : text;
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

/** What one answer may take. */
export interface AnswerBudget {
  /** Records in the answer in addition to those requested: by `include`, or as replies. */
  readonly included: number;
  /** Of the answer as UTF-8. */
  readonly bytes: number;
}

export const defaultBudget: AnswerBudget = { included: 10_000, bytes: 16 * 1024 * 1024 };

/**
 * So many records at most are built without being weighed first. They are held to the budget too, but only by the
 * size of what was built: weighing the common page would cost more than it could spare.
 */
const mostUnweighed = 32;

/** Whether an answer of so many records could be so large that it is weighed before it is built. */
export function needsWeighing(records: number, include: IncludeTree): boolean {
  const branches = includedByEach(include);
  return branches === undefined || records * (1 + branches) > mostUnweighed;
}

/** The answer's text if it is within the budget; throws otherwise. */
export function withinBudget(text: string, { bytes }: AnswerBudget): string {
  // A UTF-16 unit is at most three bytes of UTF-8.
  if (text.length * 3 > bytes && Buffer.byteLength(text) > bytes) throw tooLarge('bytes', bytes);
  return text;
}

export function tooLarge(what: keyof AnswerBudget, most: number): Problem {
  const limit = what === 'included' ? `${most} included records` : `${most} bytes`;
  return badRequest(
    'answer_too_large',
    `The answer would have more than ${limit}. Ask for fewer records (page_size) or include less.`,
  );
}
