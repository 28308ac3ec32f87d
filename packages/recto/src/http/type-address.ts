import { builtInTypes } from '../builtin/built-in-types.ts';
import type { ContentType } from '../definition/content-type.ts';

/** Where the records of a type are served: `/api/v1/cms/articles` (service specification, section 4.4), or `/api/v1/pages`. */
export function typeAddress(type: Pick<ContentType, 'kind' | 'singular' | 'plural' | 'builtIn'>): string {
  if (type.builtIn) return `/api/v1/${type.plural}`;
  return `/api/v1/cms/${type.kind === 'single' ? type.singular : type.plural}`;
}

const shippedFiles: ReadonlySet<string> = new Set(builtInTypes.map(({ file }) => file));

/** The types that the user's own files define or add fields to. */
export const ownTypes = (types: readonly ContentType[]): readonly ContentType[] =>
  types.filter(({ source }) => !shippedFiles.has(source));
