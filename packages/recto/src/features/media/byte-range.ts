import { namesTag } from '../../records/answers/answer.ts';
import type { ByteRange } from '../../storage/storage.ts';

/** What of a file is to be sent: all of it, a part, or nothing because the part is not in it. */
export type RequestedBytes = 'all' | 'unsatisfiable' | ByteRange;

/**
 * Reads `Range` and `If-Range` (RFC 9110, section 14). Several ranges, other units and what cannot be read are answered with
 * all bytes, as the standard allows.
 */
export function requestedBytes({ method, headers }: Request, size: number, etag: string): RequestedBytes {
  const header = headers.get('range');
  if (header === null || method !== 'GET') return 'all';
  const condition = headers.get('if-range');
  // A date never matches: files have tags.
  if (condition !== null && (condition.trim() === '*' || !namesTag(condition, etag, 'strong'))) return 'all';
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header) ?? [];
  if (first === '' && last === '') return 'all';
  if (first === '') return suffix(Number(last), size);
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'all';
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) };
}

/** `bytes=-500`: the last 500. */
function suffix(length: number, size: number): RequestedBytes {
  if (length === 0 || size === 0) return 'unsatisfiable';
  return { start: Math.max(0, size - length), end: size };
}
