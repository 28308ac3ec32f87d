import Type from 'typebox';
import { offsetOf, type Paging, pagingOf } from '../query/query-text.ts';
import type { RequestContext } from './operation.ts';

/** The longest number that is read. */
const greatestPage = 999_999_999_999_999;

export const pageParameters = {
  page: Type.Optional(
    Type.Integer({
      component: 'Page',
      minimum: 1,
      maximum: greatestPage,
      default: 1,
      description: 'The number of the page.',
    }),
  ),
  // Service specification, section 8.
  page_size: Type.Optional(
    Type.Integer({
      component: 'PageSize',
      minimum: 1,
      default: 20,
      description: 'Items per page. More than the configured maximum counts as the maximum.',
    }),
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
