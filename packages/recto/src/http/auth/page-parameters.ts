import Type from 'typebox';
import type { RequestContext } from '../operation.ts';

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
