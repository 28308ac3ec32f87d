import { adminRecords, type BatchResult, type PatchOperation, type Revision } from './admin-collection.ts';
import type { Account, Auth } from './auth.ts';
import {
  type Aggregate,
  type AggregateOptions,
  type ChangeOptions,
  type CreateOptions,
  type GetOptions,
  type Paths,
  type Reader,
  recordReader,
} from './collection.ts';
import type {
  AnyContent,
  CamelCase,
  NamesOf,
  Page,
  PluralOf,
  RecordOf,
  Result,
  UntypedContent,
  UntypedRecord,
  View,
} from './content.ts';
import { type ChangeEvent, type EventsOptions, events } from './events.ts';
import type { Filter } from './filter.ts';
import { byName, collectionPath, kebabCase } from './names.ts';
import { recordWriter } from './record-writer.ts';
import type { MyPreferences, SavedViews } from './saved-views.ts';
import { createSession, inMemory, type SessionStore } from './session.ts';
import { createTags } from './tags.ts';
import {
  type CallOptions,
  createTransport,
  fixedToken,
  type RequestOptions,
  type TransportOptions,
} from './transport.ts';
import { type UploadOptions, upload } from './upload.ts';

export interface ClientOptions extends TransportOptions {
  /**
   * Where the session is kept. `memory` (the default): it ends with the page or program. `cookie`: the browser keeps the refresh token
   * where scripts cannot read it. Or a store such as `inStorage(localStorage)`.
   */
  readonly session?: 'memory' | 'cookie' | SessionStore;
  /** An API token, in the place of a session. */
  readonly token?: string;
  /** The plurals of types with `api_restful = false`: their writes have other addresses. */
  readonly simple_mode?: readonly string[];
}

type Body<C, N extends keyof C, What extends 'create' | 'update'> = C[N] extends { [W in What]: infer B } ? B : never;

/** The public routes of a content type. */
export interface Collection<C, N extends keyof C> extends Reader<C, N, 'list', 'get'> {
  create(data: Body<C, N, 'create'>, options?: CreateOptions): Promise<Result<C, N, 'created'>>;
  update(id: string, changes: Body<C, N, 'update'>, options?: ChangeOptions): Promise<Result<C, N, 'updated'>>;
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

/** The routes of a type with one record. */
export interface Single<C, N extends keyof C> {
  get<const Inc extends Paths<C, N, 'get'> = []>(options?: GetOptions<Inc>): Promise<Result<C, N, 'get', Inc[number]>>;
  update(changes: Body<C, N, 'update'>, options?: ChangeOptions): Promise<Result<C, N, 'updated'>>;
}

type CommentAction<N> = N extends 'comments' ? 'approve' | 'reject' | 'spam' | 'pending' : never;

export type Batch<C, N extends keyof C> = (
  | { readonly ids: readonly string[] }
  | { readonly filter: string | Filter<C, N, 'admin'> }
) &
  (
    | { readonly action: 'update'; readonly set: Body<C, N, 'update'> }
    | { readonly action: 'delete' | 'restore' | 'publish' | 'unpublish' | 'archive' | CommentAction<N> }
  );

/** The admin routes of a content type: for editors and admins, with private fields. */
export interface AdminCollection<C, N extends keyof C> extends Reader<C, N, 'admin', 'admin'> {
  create(data: Body<C, N, 'create'>, options?: CreateOptions): Promise<Result<C, N, 'admin'>>;
  update(id: string, changes: Body<C, N, 'update'>, options?: ChangeOptions): Promise<Result<C, N, 'admin'>>;
  delete(id: string, options?: ChangeOptions): Promise<void>;
  restore(id: string, options?: CreateOptions): Promise<Result<C, N, 'admin'>>;
  purge(id: string, options?: CallOptions): Promise<void>;
  publish(id: string, options?: CreateOptions): Promise<Result<C, N, 'admin'>>;
  status(id: string, status: string, options?: CallOptions): Promise<Result<C, N, 'admin'>>;
  draft(id: string): {
    get(options?: CallOptions): Promise<Result<C, N, 'admin'>>;
    update(changes: Body<C, N, 'update'>, options?: ChangeOptions): Promise<Result<C, N, 'admin'>>;
    discard(options?: CallOptions): Promise<void>;
  };
  revisions(id: string): {
    list(options?: CallOptions & { readonly page?: number; readonly page_size?: number }): Promise<Page<Revision>>;
    get(
      revision: number,
      options?: CallOptions,
    ): Promise<Revision & { readonly record: Partial<RecordOf<C, N, 'admin'>> }>;
    diff(from: number, to: number, options?: CallOptions): Promise<readonly PatchOperation[]>;
    restore(revision: number, options?: CreateOptions): Promise<Result<C, N, 'admin'>>;
  };
  batch(batch: Batch<C, N>, options?: CreateOptions): Promise<BatchResult>;
  aggregate(options: AggregateOptions<C, N, 'admin'>): Promise<Aggregate>;
  move(id: string, to: object, options?: CreateOptions): Promise<Result<C, N, 'admin'>>;
}

/** What the admin routes have besides those of content types. */
export interface AdminParts<C> {
  readonly users: AdminCollection<{ users: UsersEntry }, 'users'>;
  /** Lists under names: the caller's own and those that others share. */
  readonly savedViews: SavedViews;
  /** What the caller has chosen in the admin. */
  readonly myPreferences: MyPreferences;
  /** A content type by its plural, whatever it is called. */
  collection<N extends keyof C & string>(plural: N): AdminCollection<C, N>;
}

/** What the client has besides the content types. A type of one of these names is reached by `collection`. */
export interface ClientParts<C> {
  readonly auth: Auth;
  /** The admin routes, by type. */
  readonly admin: {
    readonly [N in NamesOf<C, 'collection' | 'single'> as Exclude<
      PluralOf<C, N> | CamelCase<PluralOf<C, N>>,
      keyof AdminParts<C>
    >]: AdminCollection<C, N>;
  } & AdminParts<C>;
  /** A content type by its plural, whatever it is called. */
  collection<N extends NamesOf<C, 'collection'>>(plural: N): Collection<C, N>;
  /** Files: their records, where the content has them, and uploading. */
  readonly media: MediaFiles<C> & ('media' extends keyof C ? Collection<C, 'media'> : unknown);
  /** The comments of a post, by its slug: approved ones with their replies, and a new one. */
  thread(slug: string): CommentThread<C>;
  /** The changes that the caller may see, as they happen. */
  events(
    options?: Omit<EventsOptions, 'types'> & { readonly types?: readonly (keyof C & string)[] },
  ): AsyncGenerator<ChangeEvent, void>;
  /**
   * Any other route: a path below `/api/v1`, with this client's session, timeouts and retries. `read` reads the response, with its
   * headers; default: its JSON.
   */
  request<Result = unknown>(
    method: string,
    path: string,
    options?: RequestOptions,
    read?: (response: Response) => Promise<Result>,
  ): Promise<Result>;
}

export interface CommentThread<C> {
  list(
    options?: CallOptions & { readonly page?: number; readonly page_size?: number },
  ): Promise<Page<Threaded<RecordOf<C, keyof C & 'comments', 'get'>>>>;
  create(
    comment: Body<C, keyof C & 'comments', 'create'>,
    options?: CreateOptions,
  ): Promise<RecordOf<C, keyof C & 'comments', 'get'>>;
}

export interface MediaFiles<C> {
  /** Uploads a file. A large one goes on where it was when the connection breaks. */
  upload(
    file: Blob & { readonly name?: string },
    options?: UploadOptions,
  ): Promise<'media' extends keyof C ? RecordOf<C, 'media', 'get'> : UntypedRecord>;
}

type Threaded<Comment> = Comment & { readonly replies: readonly Threaded<Comment>[] };

interface UsersEntry {
  kind: 'collection';
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

export type Client<C> = ClientParts<C> & {
  readonly [N in Exclude<NamesOf<C, 'collection'>, keyof ClientParts<C>> as N | CamelCase<N>]: Collection<C, N>;
} & { readonly [N in Exclude<NamesOf<C, 'single'>, keyof ClientParts<C>> as N | CamelCase<N>]: Single<C, N> };

/**
 * A client of one service. `Content` is what `recto types` writes:
 *
 * ```ts
 * const recto = createClient<Content>({ url: 'https://cms.example.com' });
 * const { items } = await recto.articles.list({ include: ['author'] });
 * ```
 *
 * Failures are thrown as `RectoError`.
 */
export function createClient<C extends { [N in keyof C]: AnyContent[string] } = UntypedContent>(
  options: ClientOptions,
): Client<C> {
  const { session: kept = 'memory', token } = options;
  const session = createSession(createTransport(options), kept === 'memory' ? inMemory() : kept);
  const source = token ? fixedToken(token) : session;
  const send = createTransport(options, source);
  const auth = session.auth(send);
  const isSignedIn = async (): Promise<boolean> => !!(await source.token());
  const tags = createTags();
  const adminAt = (path: string): object => adminRecords(send, tags, `/admin${path}`);
  const admin = (name: string): object => adminAt(collectionPath(kebabCase(name)));
  const type = (name: string) => {
    const plural = kebabCase(name);
    return recordWriter(send, tags, collectionPath(plural), options.simple_mode?.includes(plural)).calls;
  };
  const { act } = recordWriter(send, tags, '');
  const parts = {
    auth,
    admin: byName(admin, {
      collection: admin,
      savedViews: adminAt('/views'),
      myPreferences: adminAt('/preferences'),
    }),
    collection: type,
    media: { ...type('media'), upload: (file: Blob, given?: UploadOptions) => upload(send, act, file, given) },
    /** The service has an address of its own for the comments of accounts. */
    thread(slug: string) {
      const path = `/posts/${encodeURIComponent(slug)}/comments`;
      return {
        list: recordReader(send, path).list,
        create: async (comment: object, given?: CreateOptions) =>
          act((await isSignedIn()) ? `${path}/authed` : path, comment, given),
      };
    },
    events: (given: EventsOptions = {}) => events(send, given, isSignedIn),
    request: send,
  };
  // The parts by their names, and a collection for each other name, as the type says.
  return byName(type, parts) as Client<C>;
}

export type { View };
