import type { ContentType } from '../definition/content-type.ts';
import { etagOf } from '../records/answer.ts';
import type { StoredDefinition } from './stored-definition.ts';

export const typeSources = ['file', 'api', 'built_in'] as const;
export type TypeSource = (typeof typeSources)[number];

/** A content type as the API returns it to admins. */
export interface TypeEntry {
  readonly singular: string;
  readonly plural: string;
  readonly name: string;
  readonly kind: ContentType['kind'];
  readonly source: TypeSource;
  /** The file that defines it or adds fields to it, relative to the folder of definitions. */
  readonly file: string | null;
  /** For a type created through the API; null for all others, like the members below. */
  readonly revision: number | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
  /** Exported as a file; cannot be changed until the file is in place. */
  readonly handed_over: boolean;
  readonly definition: ContentType['definition'];
}

export function typeEntry(type: ContentType, stored: StoredDefinition | undefined): TypeEntry {
  const { singular, plural, name, kind, definition } = type;
  const own = type.stored ? stored : undefined;
  return {
    ...{ singular, plural, name, kind },
    source: sourceOf(type),
    file: fileOf(type),
    revision: own?.revision ?? null,
    created_at: own?.createdAt ?? null,
    updated_at: own?.updatedAt ?? null,
    updated_by: own?.author ?? null,
    handed_over: own !== undefined && own.keeper !== 'api',
    definition,
  };
}

export const sourceOf = ({ stored, builtIn }: ContentType): TypeSource =>
  stored ? 'api' : builtIn ? 'built_in' : 'file';

/** The product's own definitions are not files. */
const fileOf = ({ stored, source }: ContentType): string | null =>
  stored || source.endsWith(' (built in)') ? null : source;

/** Equal entries, equal tags (RFC 9110, section 8.8.3). */
export const entryTag = (entry: TypeEntry): string => etagOf(JSON.stringify(entry));
