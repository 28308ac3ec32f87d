import {
  adminRecords,
  type BatchOptions,
  type BatchResult,
  type LanguageOption,
  type LanguageState,
  type PatchOperation,
  type Revision,
} from './admin-collection.ts';
import type { Account } from './auth.ts';
import type { ChangeOptions, CreateOptions, GetOptions, ListOptions, Paths, Reader } from './collection.ts';
import type {
  AnyContent,
  CamelCase,
  FieldName,
  InLanguage,
  NamesOf,
  Page,
  PluralOf,
  RecordOf,
  Result,
  Selected,
  UntypedContent,
} from './content.ts';
import { type Body, type Client, type ClientOptions, clientOf } from './create-client.ts';
import type { Filter } from './filter.ts';
import { byName, collectionPath, kebabCase } from './names.ts';
import type { ApiTokens, Permissions, RecordRight, Roles } from './roles.ts';
import type { MyPreferences, SavedViews } from './saved-views.ts';
import type { CallOptions } from './transport.ts';

type CommentAction<N> = N extends 'comments' ? 'approve' | 'reject' | 'spam' | 'pending' : never;

export type Batch<C, N extends keyof C> = (
  | { readonly ids: readonly string[] }
  | { readonly filter: string | Filter<C, N, 'admin'>; readonly search?: string }
) &
  (
    | { readonly action: 'update'; readonly set: Body<C, N, 'update'> }
    | { readonly action: 'delete' | 'restore' | 'publish' | 'unpublish' | 'archive' | CommentAction<N> }
  );

type SittingOptions = Omit<ChangeOptions, 'query'>;

/** With `may: true`, what the caller may do with each record. A content type with a field `may` does not take it. */
interface MayOption<M extends boolean> {
  readonly may?: M;
}

type May<M extends boolean> = [M] extends [true] ? { readonly __may: readonly RecordRight[] } : unknown;

type AdminPaths<C, N extends keyof C> = Paths<C, N, 'admin'>;

/** With `language: '*'`, records are in all languages at once. */
interface LanguageChoice<L extends string> {
  readonly language?: L;
}

/** A record as the options of an admin read shape it. */
type Read<C, N extends keyof C, P extends string, F extends string, M extends boolean, L extends string> = InLanguage<
  C,
  N,
  L,
  Selected<C, N, 'admin', P, F>
> &
  May<M>;

/** Reads the records of one type on the admin routes. */
export interface AdminReader<C, N extends keyof C> extends Pick<Reader<C, N, 'admin', 'admin'>, 'aggregate' | 'csv'> {
  list<
    const Inc extends AdminPaths<C, N> = [],
    const F extends FieldName<C, N, 'admin'> = never,
    const M extends boolean = false,
    const L extends string = string,
  >(
    options?: ListOptions<C, N, 'admin', Inc, F> & MayOption<M> & LanguageChoice<L>,
  ): Promise<Page<Read<C, N, Inc[number], F, M, L>>>;
  /** Every record of the list, page by page: the next page is asked for when the last record of one has been used. */
  all<
    const Inc extends AdminPaths<C, N> = [],
    const F extends FieldName<C, N, 'admin'> = never,
    const M extends boolean = false,
    const L extends string = string,
  >(
    options?: Omit<ListOptions<C, N, 'admin', Inc, F>, 'page' | 'skip_total'> & MayOption<M> & LanguageChoice<L>,
  ): AsyncGenerator<Read<C, N, Inc[number], F, M, L>, void>;
  get<
    const Inc extends AdminPaths<C, N> = [],
    const F extends FieldName<C, N, 'admin'> = never,
    const M extends boolean = false,
    const L extends string = string,
  >(
    id: string,
    options?: GetOptions<Inc, F> & MayOption<M> & LanguageChoice<L>,
  ): Promise<Read<C, N, Inc[number], F, M, L>>;
}

/** The admin routes of a content type, with private fields. Of these, a role reads what it may. */
export interface AdminCollection<C, N extends keyof C> extends AdminReader<C, N> {
  create(data: Body<C, N, 'create'>, options?: CreateOptions): Promise<Result<C, N, 'admin'>>;
  update(id: string, changes: Body<C, N, 'update'>, options?: ChangeOptions): Promise<Result<C, N, 'admin'>>;
  delete(id: string, options?: ChangeOptions): Promise<void>;
  restore(id: string, options?: CreateOptions): Promise<Result<C, N, 'admin'>>;
  purge(id: string, options?: CallOptions): Promise<void>;
  /** `language: '*'` publishes all languages. */
  publish(id: string, options?: CreateOptions & LanguageOption): Promise<Result<C, N, 'admin'>>;
  /** What a record of a type with localized fields is in each language. */
  languages(id: string, options?: CallOptions): Promise<{ readonly items: readonly LanguageState[] }>;
  /** `language`: the one whose status is set, where languages have statuses of their own. */
  status(id: string, status: string, options?: CallOptions & LanguageOption): Promise<Result<C, N, 'admin'>>;
  draft(id: string): {
    get(options?: CallOptions & LanguageOption): Promise<Result<C, N, 'admin'>>;
    update(changes: Body<C, N, 'update'>, options?: ChangeOptions): Promise<Result<C, N, 'admin'>>;
    discard(options?: CallOptions & LanguageOption): Promise<void>;
  };
  /** Saving while a person writes: all of a sitting is one revision. */
  sitting(id: string): {
    /** Saves as part of the caller's sitting, and moves its revision along. */
    autosave(changes: Body<C, N, 'update'>, options?: SittingOptions): Promise<Result<C, N, 'admin'>>;
    /** Ends the sitting: its revision, with these changes, is kept. Default: without any. */
    keep(changes?: Body<C, N, 'update'>, options?: SittingOptions): Promise<Result<C, N, 'admin'>>;
  };
  revisions(id: string): {
    list(options?: CallOptions & { readonly page?: number; readonly page_size?: number }): Promise<Page<Revision>>;
    get(
      revision: number,
      options?: CallOptions,
    ): Promise<Revision & { readonly record: Partial<RecordOf<C, N, 'admin'>> }>;
    diff(from: number, to: number, options?: CallOptions): Promise<readonly PatchOperation[]>;
    /** Names a revision, which keeps it; `null` takes the name away. */
    name(revision: number, name: string | null, options?: CallOptions): Promise<Revision>;
    restore(revision: number, options?: CreateOptions): Promise<Result<C, N, 'admin'>>;
  };
  /** A copy of a record with what belongs to it by relations with `cascade`, unless `related` is false. */
  duplicate(
    id: string,
    copy?: { readonly related?: boolean; readonly set?: Body<C, N, 'update'> },
    options?: CreateOptions,
  ): Promise<{
    readonly record: Result<C, N, 'admin'>;
    /** How many copies there are of each type, by its singular name. */
    readonly copies: Readonly<Record<string, number>>;
    /** How many records that the caller may not get were not copied. */
    readonly hidden: number;
  }>;
  /** `language`: the one that is changed, and that the filter reads. */
  batch(batch: Batch<C, N>, options?: BatchOptions): Promise<BatchResult>;
  move(id: string, to: object, options?: CreateOptions): Promise<Result<C, N, 'admin'>>;
}

/** What the admin routes have besides those of content types. A type of one of these names is reached by `collection`. */
export interface AdminParts<C> {
  /** What the caller may do on the admin routes. */
  permissions(options?: CallOptions): Promise<Permissions<C>>;
  readonly roles: Roles<C>;
  readonly apiTokens: ApiTokens<C>;
  /** Lists under names: the caller's own and those that others share. */
  readonly savedViews: SavedViews;
  /** What the caller has chosen in the admin. */
  readonly myPreferences: MyPreferences;
  readonly users: AdminCollection<{ users: UsersEntry }, 'users'>;
  /** A content type by its plural, whatever it is called. */
  collection<N extends keyof C & string>(plural: N): AdminCollection<C, N>;
}

interface UsersEntry {
  kind: 'collection';
  singular: 'user';
  plural: 'users';
  get: Account;
  list: Account;
  created: Account;
  updated: Account;
  admin: Account;
  create: Readonly<Record<string, unknown>>;
  update: Readonly<Record<string, unknown>>;
  // biome-ignore lint/complexity/noBannedTypes: accounts have no relations.
  relations: {};
}

/** A client that also has the admin routes. */
export type AdminClient<C> = Client<C> & {
  /** The admin routes, by type. */
  readonly admin: {
    readonly [N in NamesOf<C, 'collection' | 'single'> as Exclude<
      PluralOf<C, N> | CamelCase<PluralOf<C, N>>,
      keyof AdminParts<C>
    >]: AdminCollection<C, N>;
  } & AdminParts<C>;
};

/** A client for programs of editors and admins: `createClient`, and the admin routes as `admin`. */
export function createAdminClient<C extends { [N in keyof C]: AnyContent[string] } = UntypedContent>(
  options: ClientOptions,
): AdminClient<C> {
  // The parts by their names, and a collection for each other name, as the type says.
  return clientOf(options, (send, tags) => {
    const at = (path: string): object => adminRecords(send, tags, `/admin${path}`);
    const collection = (name: string): object => at(collectionPath(kebabCase(name)));
    const admin = byName(collection, {
      collection,
      permissions: (given?: CallOptions) => send('GET', '/auth/me/permissions', given),
      roles: at('/roles'),
      apiTokens: at('/api-tokens'),
      savedViews: at('/views'),
      myPreferences: at('/preferences'),
    });
    return { admin };
  }) as AdminClient<C>;
}
