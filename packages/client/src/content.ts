/**
 * What `recto types` writes of a content type, by its plural (a single type: by its singular). Types only: nothing of it is
 * there at run time.
 */
export interface TypeEntry {
  readonly kind: 'collection' | 'single';
  /** By which rights and rules name it. Absent in content that an old version has written. */
  readonly singular?: string;
  /** By which the admin routes name it. */
  readonly plural: string;
  /** The record as `get` returns it, as lists do, as a create or an update answers, and as the admin routes return it. */
  readonly get: object;
  readonly list: object;
  readonly created: object;
  readonly updated: object;
  readonly admin: object;
  /** The data of a new record, and of a change; `never` where the routes take none. */
  readonly create: object;
  readonly update: object;
  /** The relations, by field: the key of the related type in the content, or null for a type outside it. */
  readonly relations: object;
  /** Of a type with localized fields: the tags of the languages, and the names of these fields. */
  readonly languages?: string;
  readonly localized?: string;
}

/** The shape of the `Content` that `recto types` writes. */
export type AnyContent = { readonly [Name in string]: TypeEntry };

/** Content whose types are not known: every name is a collection of records with any fields. */
export type UntypedContent = Record<
  string,
  {
    kind: 'collection';
    singular: string;
    plural: string;
    get: UntypedRecord;
    list: UntypedRecord;
    created: UntypedRecord;
    updated: UntypedRecord;
    admin: UntypedRecord;
    create: Record<string, unknown>;
    update: Record<string, unknown>;
    relations: Record<never, never>;
  }
>;

export interface UntypedRecord {
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: a field of a type that is not known is used as its reader sees fit.
  [field: string]: any;
}

/** Which form of a record a route returns. */
export type View = 'get' | 'list' | 'created' | 'updated' | 'admin';

/** What related records look like in a response of this view. */
type IncludedView<V extends View> = V extends 'admin' ? 'admin' : 'get';

type Relations<C, N extends keyof C> = C[N] extends { relations: infer R } ? R : never;

/** A record in one of its forms, before relations are resolved. */
export type RecordOf<C, N extends keyof C, V extends View> = C[N] extends { [View in V]: infer R } ? R : never;

/** The names of a view's relations. */
type RelationName<C, N extends keyof C, V extends View> = keyof Relations<C, N> & keyof RecordOf<C, N, V> & string;

type Target<C, N extends keyof C, F> = F extends keyof Relations<C, N> ? Extract<Relations<C, N>[F], keyof C> : never;

type Less = [never, 0, 1, 2];

/** The paths that `include` takes: relations, and relations of these, to three levels. */
export type IncludePath<C, N extends keyof C, V extends View = 'get', Depth extends number = 3> = {
  [F in RelationName<C, N, V>]: Depth extends 1
    ? F
    : [Target<C, N, F>] extends [never]
      ? F
      : F | `${F}.${IncludePath<C, Target<C, N, F>, IncludedView<V>, Less[Depth] & number>}`;
}[RelationName<C, N, V>];

type Head<P extends string> = P extends `${infer First}.${string}` ? First : P;
type Tail<P extends string, F extends string> = P extends `${F}.${infer Rest}` ? Rest : never;

/** A relation that is not included: the id, or ids. */
type AsId<Value> = Value extends readonly unknown[] ? string[] : Extract<Value, string | null | undefined>;

/** A relation that is included: the record, or records. `null` where there is none, or the caller may not see it. */
type AsRecord<Value, Related> = [Extract<Value, readonly unknown[]>] extends [never]
  ? Related | null | Extract<Value, undefined>
  : Related[] | Extract<Value, undefined>;

/** A record of the content as a route returns it: the relations named by `P` as records, all others as ids. */
export type Result<C, N extends keyof C, V extends View, P extends string = never> = Populated<
  C,
  N,
  IncludedView<V>,
  P,
  RecordOf<C, N, V>
>;

type Populated<C, N extends keyof C, Inner extends View, P extends string, R> = {
  [F in keyof R]: F extends keyof Relations<C, N> & string
    ? F extends Head<P>
      ? [Target<C, N, F>] extends [never]
        ? Exclude<R[F], string>
        : AsRecord<R[F], Result<C, Target<C, N, F>, Inner, Tail<P, F>>>
      : AsId<R[F]>
    : R[F];
};

/** The names that `fields` takes: not those of members that only some responses have. */
export type FieldName<C, N extends keyof C, V extends View> = RequiredName<RecordOf<C, N, V>>;

type RequiredName<R> = string extends keyof R
  ? string
  : { [F in keyof R & string]-?: Record<never, never> extends Pick<R, F> ? never : F }[keyof R & string];

/** A record as `fields` selects it: those in `F`, its `id`, and the relations that `include` names. Without `F`, all of it. */
export type Selected<C, N extends keyof C, V extends View, P extends string, F extends string> = [F] extends [never]
  ? Result<C, N, V, P>
  : string extends keyof RecordOf<C, N, V>
    ? Result<C, N, V, P>
    : Pick<Result<C, N, V, P>, ('id' | F | `${F}_total` | Head<P>) & keyof Result<C, N, V, P>>;

/**
 * A record as a read with `language` returns it: with `'*'`, each localized field has its values by language, of those languages that have
 * one. Types without localized fields stay as they are.
 */
export type InLanguage<C, N extends keyof C, L, R> = [L] extends ['*']
  ? C[N] extends { languages: infer Tag extends string; localized: infer Name }
    ? {
        [F in keyof R as F extends '__fallback' ? never : F]: F extends Name
          ? { [T in Tag]?: NonNullable<R[F]> }
          : F extends '__language'
            ? '*'
            : R[F];
      }
    : R
  : R;

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  /** All records that match; -1 with `skip_total`. */
  total: number;
  /** `total` is not exact: an earlier one, or the least that there are. */
  total_is_estimate?: true;
  page: number;
  page_size: number;
  /** Leads to the next page, where there is one. */
  next_cursor?: string;
}

/** `blog-posts` as `blogPosts`. */
export type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The names of content types of one kind. */
export type NamesOf<C, Kind extends TypeEntry['kind']> = {
  [N in keyof C & string]: C[N] extends { kind: Kind } ? N : never;
}[keyof C & string];

/** The plural of a content type. */
export type PluralOf<C, N extends keyof C> = C[N] extends { plural: infer P extends string } ? P : never;

/** The singular of a content type. */
export type SingularOf<C, N extends keyof C> = C[N] extends { singular: infer S extends string } ? S : never;
