import type { ContentTypeInfo } from '../../api/content-type-info.ts';

/** The page of a record, or of a new one, in the admin. */
export const editorPath = ({ plural }: Pick<ContentTypeInfo, 'plural'>, id: string | undefined): string =>
  `/content/${encodeURIComponent(plural)}/${id === undefined ? 'new' : encodeURIComponent(id)}`;

export const listPath = ({ plural }: Pick<ContentTypeInfo, 'plural'>): string =>
  `/content/${encodeURIComponent(plural)}`;
