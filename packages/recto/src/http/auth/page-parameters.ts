import Type from 'typebox';
import type { RequestContext } from '../operation.ts';

export const pageParameters = {
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  // Service specification, section 8.
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, default: 20, description: 'More than the maximum is capped, not refused.' }),
  ),
};

export interface Page {
  readonly page: number;
  readonly pageSize: number;
  readonly limit: number;
  readonly offset: number;
}

/** The page that is asked for by an operation that declares `pageParameters`. */
export function readPage(query: RequestContext['query'], maxPageSize: number): Page {
  const page = Number(query.page);
  const pageSize = Math.min(Number(query.page_size), maxPageSize);
  return { page, pageSize, limit: pageSize, offset: Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER) };
}
