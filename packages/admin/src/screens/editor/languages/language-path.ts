import type { ContentTypeInfo } from '../../../api/content-type-info.ts';
import { editorPath, listPath } from '../editor-paths.ts';

/** The page of a record in a language; undefined: the default one. */
export function languagePath(type: ContentTypeInfo, id: string | null, language: string | undefined): string {
  const path = type.kind === 'single' ? listPath(type) : editorPath(type, id ?? undefined);
  return language === undefined ? path : `${path}?language=${encodeURIComponent(language)}`;
}
