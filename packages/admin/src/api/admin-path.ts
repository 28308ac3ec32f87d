import type { ContentTypeInfo } from './content-type-info.ts';

/** Types whose routes have an address of their own. */
const ownAddress: ReadonlySet<string> = new Set(['posts', 'pages', 'comments', 'users', 'media']);

/** Where the records of a type are for editors, below `/api/v1`. */
export const adminPath = ({ plural }: Pick<ContentTypeInfo, 'plural'>): string =>
  ownAddress.has(plural) ? `/admin/${plural}` : `/admin/cms/${encodeURIComponent(plural)}`;

/** Where records are created: posts and pages by the route that everybody has. */
export const creationPath = ({ plural }: Pick<ContentTypeInfo, 'plural'>): string =>
  plural === 'posts' || plural === 'pages' ? `/${plural}` : adminPath({ plural });
