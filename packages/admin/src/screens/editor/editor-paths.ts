import type { ContentTypeInfo } from '../../api/content-type-info.ts';

/** Types whose routes have an address of their own. */
const ownAddress: ReadonlySet<string> = new Set(['posts', 'pages', 'comments', 'users', 'media']);

/** Where the records of a type are for editors, below `/api/v1`. */
export const adminPath = ({ plural }: Pick<ContentTypeInfo, 'plural'>): string =>
  ownAddress.has(plural) ? `/admin/${plural}` : `/admin/cms/${encodeURIComponent(plural)}`;

/** The page of a record, or of a new one, in the admin. */
export const editorPath = ({ plural }: Pick<ContentTypeInfo, 'plural'>, id: string | undefined): string =>
  `/content/${encodeURIComponent(plural)}/${id === undefined ? 'new' : encodeURIComponent(id)}`;

export const listPath = ({ plural }: Pick<ContentTypeInfo, 'plural'>): string =>
  `/content/${encodeURIComponent(plural)}`;
