import { invalidParameter } from './query-text.ts';

export interface PageLimits {
  readonly maxPageSize: number;
}

/** The page that a list is asked for. */
export interface Paging {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** The page of this number, its size capped at the maximum; 400 for one that no database could count to. */
export function pagingOf(page: number, pageSize: number, { maxPageSize }: PageLimits): Paging {
  const capped = Math.min(pageSize, maxPageSize);
  if (!Number.isSafeInteger(page * capped)) throw invalidParameter('page', 'a page that can exist');
  return { page, pageSize: capped };
}

export const offsetOf = ({ page, pageSize }: Paging): number => (page - 1) * pageSize;
