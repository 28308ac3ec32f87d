import type { Rule } from '../../rules/rule.ts';
import type { Field } from '../field-type.ts';
import type { Language, Languages } from '../languages/languages.ts';

/** What a role can do with records on the admin routes. `publish`: any change into or out of the published state. */
export const recordActions = ['list', 'get', 'create', 'update', 'delete', 'publish'] as const;
export type RecordAction = (typeof recordActions)[number];

/** The records that an action is allowed for. A rule that did not compile allows none. */
export type RowRight = 'all' | 'none' | Rule;

/** What a role may see and do with the records of one content type on the admin routes. Frozen, compiled once. */
export interface TypeRights {
  readonly rows: Readonly<Record<RecordAction, RowRight>>;
  /** The fields of the type that the role reads, in the order of the type. Secret fields are never among them. */
  readonly readable: readonly Field[];
  /** Whether the role reads a field of the type. What it does not read exists nowhere for it. */
  reads(field: Field): boolean;
  /** Whether the role reads what was private in revisions of a record, or belongs to a field that has been removed. */
  readonly readsPrivateHistory: boolean;
  /** Whether the role may change a field of the type. Fields with `writers` also check the role's name. */
  writes(field: Field): boolean;
  /** Whether the role writes what records say in the language that the type is shown in; of types that are not localized, true. */
  readonly writesLanguage: boolean;
}

/** What rights to a type are made from. A part of `ContentType`, which imports this module. */
export interface RightsSubject {
  readonly singular: string;
  readonly fields: readonly Field[];
  /** The language whose values its localized fields have; absent: the default. */
  readonly shownIn?: { readonly read: { readonly language: Language } };
  /** Of a localized type. */
  readonly languages?: Languages;
}

const actionsWith = (right: RowRight): TypeRights['rows'] =>
  Object.freeze({ list: right, get: right, create: right, update: right, delete: right, publish: right });

/** Everything that the admin routes offer. */
export function fullRights({ fields }: Pick<RightsSubject, 'fields'>, readsPrivateHistory: boolean): TypeRights {
  const readable = Object.freeze(fields.filter(({ type }) => !type.secret));
  const known = new Set(readable);
  return Object.freeze({
    rows: actionsWith('all'),
    readable,
    reads: (field: Field) => known.has(field),
    readsPrivateHistory,
    writes: () => true,
    writesLanguage: true,
  });
}

/** The rights of a caller for whom the admin routes are closed. */
export const noRights: TypeRights = Object.freeze({
  rows: actionsWith('none'),
  readable: Object.freeze([]),
  reads: () => false,
  readsPrivateHistory: false,
  writes: () => false,
  writesLanguage: false,
});
