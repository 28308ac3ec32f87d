import type { JsonValue } from '../values/value-kind.ts';
import type { Register } from './register.ts';

/** What `recto types` writes of a content type. */
interface ContentEntry {
  readonly kind: 'collection' | 'single';
  readonly singular: string;
  readonly get: object;
  readonly list: object;
  readonly created: object;
  readonly updated: object;
  readonly admin: object;
  readonly create: object;
  readonly update: object;
  readonly relations: object;
}

/** A record of a type that is not known. */
export type UntypedRecord = Record<string, JsonValue>;

interface UntypedEntry {
  kind: 'collection' | 'single';
  singular: string;
  get: UntypedRecord;
  list: UntypedRecord;
  created: UntypedRecord;
  updated: UntypedRecord;
  admin: UntypedRecord;
  create: Record<string, unknown>;
  update: Record<string, unknown>;
  relations: Record<never, never>;
}

/** The content of the project, by plural; single types by singular. */
export type Content = Register extends { content: infer C } ? C : Record<string, UntypedEntry>;

/** The content types by which hooks are named. */
export type Singular = { [K in keyof Content]: Content[K] extends { singular: infer S } ? S : never }[keyof Content] &
  string;

type EntryOf<S extends string> = string extends S
  ? UntypedEntry
  : { [K in keyof Content]: Content[K] extends { singular: S } ? Content[K] : never }[keyof Content];

/** A related record is its id here; several are a list of ids. */
type Ids<Value> = Value extends readonly (infer Item)[] ? Extract<Item, string>[] : Extract<Value, string | null>;

type Own<Record, Relations> = {
  [K in keyof Record]: K extends keyof Relations ? Ids<Record[K]> : Record[K];
};

/** A record of a type as it is stored: relations are ids, and private fields are there. */
export type StoredRecordOf<S extends string> =
  EntryOf<S> extends infer E ? (E extends ContentEntry ? Own<E['admin'], E['relations']> : never) : never;

/** A record that is about to be written: as it would be stored, and secrets that were sent, such as a new password. */
export type WrittenRecordOf<S extends string> =
  EntryOf<S> extends infer E
    ? E extends ContentEntry
      ? Own<E['admin'], E['relations']> & Omit<Partial<E['create']>, keyof E['admin']>
      : never
    : never;

/** The parameters of a list, as the REST API names them. Any other name compares a field. */
export interface ListParameters<F extends string = string> {
  readonly page?: number;
  readonly page_size?: number;
  readonly sort?: string | readonly string[];
  readonly search?: string;
  readonly filter?: string;
  readonly include?: string | readonly string[];
  /** Default: all. `id`, and what `include` names, are there too. */
  readonly fields?: readonly F[];
  readonly skip_total?: boolean;
  readonly [field: string]: string | number | boolean | readonly string[] | undefined;
}

export interface GetParameters<F extends string = string> {
  readonly include?: string | readonly string[];
  readonly fields?: readonly F[];
}

export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

type Views = 'public' | 'admin';
type View<E extends ContentEntry, V extends Views, P extends 'get' | 'list' | 'created' | 'updated'> = V extends 'admin'
  ? E['admin']
  : E[P];

/** The names that `fields` takes: not those of members that only some responses have. */
type FieldName<R> = string extends keyof R
  ? string
  : { [F in keyof R & string]-?: Record<never, never> extends Pick<R, F> ? never : F }[keyof R & string];

/** A record with the fields that were asked for; what `include` names may be there too. Without `F`, all of it. */
type Selected<R, F extends string> = [F] extends [never] ? R : Pick<R, ('id' | F) & keyof R> & Partial<R>;

interface Collection<E extends ContentEntry, V extends Views> {
  /** A page of records, as the caller may see them. */
  list<const F extends FieldName<View<E, V, 'list'>> = never>(
    parameters?: ListParameters<F>,
  ): Promise<Listed<Selected<View<E, V, 'list'>, F>>>;
  /** A record; null where there is none that the caller may see. */
  get<const F extends FieldName<View<E, V, 'get'>> = never>(
    id: string,
    parameters?: GetParameters<F>,
  ): Promise<Selected<View<E, V, 'get'>, F> | null>;
  create(data: E['create']): Promise<View<E, V, 'created'>>;
  /** Changes the fields that are named. */
  update(id: string, data: E['update']): Promise<View<E, V, 'updated'>>;
  delete(id: string): Promise<void>;
}

interface Single<E extends ContentEntry, V extends Views> {
  get<const F extends FieldName<View<E, V, 'get'>> = never>(
    parameters?: GetParameters<F>,
  ): Promise<Selected<View<E, V, 'get'>, F>>;
  /** Changes the fields that are named. */
  update(data: E['update']): Promise<View<E, V, 'updated'>>;
}

type Records<V extends Views> = {
  readonly [K in keyof Content]: Content[K] extends ContentEntry
    ? Content[K]['kind'] extends 'single'
      ? Single<Content[K], V>
      : Collection<Content[K], V>
    : never;
};

/** The content with the rights of the service itself: rules do not apply, and private fields are there. */
export type SystemDatabase = Records<'admin'>;

/** The content with the rights of the caller. A `Problem` is thrown for what the REST API answers with an error. */
export type HookDatabase = Records<'public'> & { asSystem(): SystemDatabase };
