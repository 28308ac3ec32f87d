import type { JsonValue } from '../values/value-kind.ts';
import type { FieldDefinition, RelationDefinition, WrittenContentType } from './definition-file.ts';
import type { Protocol } from './protocol.ts';

/** Reports an error: where, what is wrong, and a fix. */
export type Report = (path: string, message: string, remedy: string, details?: FaultDetails) => void;

export interface FaultDetails {
  /** The text in question, with carets under the error. */
  readonly excerpt?: string;
  /** The kind of error, for programs. */
  readonly code?: string;
}

/** A field as written, without what was wrong in shape. */
export type WrittenField = Omit<Partial<FieldDefinition>, 'relation'> & {
  readonly relation?: Partial<RelationDefinition>;
};

type Hints = NonNullable<WrittenContentType['admin']>;

/** `[admin]` as written, without what was wrong in shape. */
export type WrittenHints = Omit<Hints, 'groups'> & {
  readonly groups?: readonly (Partial<NonNullable<Hints['groups']>[number]> | undefined)[];
};

/** A definition as written, without what was wrong in shape; a list keeps its places, so that paths stay right. */
export type WrittenDefinition = Omit<Partial<WrittenContentType>, 'fields' | 'protocols' | 'unique' | 'admin'> & {
  readonly admin?: WrittenHints;
  readonly unique?: readonly (readonly string[] | undefined)[];
  readonly fields?: readonly (WrittenField | undefined)[];
  readonly protocols?: readonly (string | { readonly name: string; readonly [option: string]: unknown } | undefined)[];
};

/** A content type while it is checked. */
export interface TypeDraft {
  readonly source: string;
  readonly written: WrittenDefinition;
  /** The whole definition in its flat layout, with what is wrong in shape. */
  readonly whole: JsonValue;
  readonly report: Report;
  /** Empty when the definition has none, which has been reported. */
  readonly singular: string;
  readonly plural: string;
  readonly kind: 'collection' | 'single';
  readonly table: string;
  /** Another name by which relations may call it. */
  readonly alias?: string;
  /** The protocols that come with a definition of the product; undefined for all others. */
  readonly builtIn: readonly Protocol[] | undefined;
  /** Of a type of the product: whether its routes know languages. */
  readonly knowsLanguages: boolean;
  /** Has routes of its own in place of the generated ones. */
  readonly ownRoutes: boolean;
  /** Made through the API, and kept in the database. */
  readonly stored: boolean;
}

/** The drafts by singular and by plural. */
export interface DraftIndex {
  readonly byName: ReadonlyMap<string, TypeDraft>;
  /** Some definition could not be read, so that a name which nobody has may be one of its. */
  readonly incomplete: boolean;
}

/** Names as a remedy lists them. */
export const known = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));
