import Type from 'typebox';
import { offsetOf, type Paging, pagingOf } from '../../query/paging.ts';
import type { RequestContext } from '../operation.ts';

export const pageParameters = {
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  // Service specification, section 8.
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, default: 20, description: 'More than the maximum is capped, not refused.' }),
  ),
};

export interface Page extends Paging {
  readonly limit: number;
  readonly offset: number;
}

/** The page that is asked for by an operation that declares `pageParameters`. */
export function readPage(query: RequestContext['query'], maxPageSize: number): Page {
  const paging = pagingOf(Number(query.page), Number(query.page_size), { maxPageSize });
  return { ...paging, limit: paging.pageSize, offset: offsetOf(paging) };
}
