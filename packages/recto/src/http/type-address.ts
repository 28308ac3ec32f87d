import type { ContentType } from '../definition/content-type.ts';

/** Where the records of a type are served: `/api/v1/cms/articles` (service specification, section 4.4), or `/api/v1/pages`. */
export function typeAddress(type: Pick<ContentType, 'kind' | 'singular' | 'plural' | 'ownRoutes'>): string {
  if (type.ownRoutes === true) return `/api/v1/${type.plural}`;
  return `/api/v1/cms/${type.kind === 'single' ? type.singular : type.plural}`;
}
