import type { Auth } from './auth.ts';
import {
  type ChangeOptions,
  type CreateOptions,
  type GetOptions,
  type ListOptions,
  type Paths,
  type Reader,
  recordReader,
} from './collection.ts';
import type {
  AnyContent,
  CamelCase,
  FieldName,
  NamesOf,
  Page,
  RecordOf,
  Result,
  Selected,
  UntypedContent,
  UntypedRecord,
  View,
} from './content.ts';
import { type ChangeEvent, type EventsOptions, events } from './events.ts';
import { byName, collectionPath, kebabCase } from './names.ts';
import { recordWriter } from './record-writer.ts';
import { createSession, inMemory, type SessionStore } from './session.ts';
import { createTags, type Tags } from './tags.ts';
import { createTransport, fixedToken, type RequestOptions, type Send, type TransportOptions } from './transport.ts';
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

export type Body<C, N extends keyof C, What extends 'create' | 'update'> = C[N] extends { [W in What]: infer B }
  ? B
  : never;

/** The public routes of a content type. */
export interface Collection<C, N extends keyof C> extends Reader<C, N, 'list', 'get'> {
  create(data: Body<C, N, 'create'>, options?: CreateOptions): Promise<Result<C, N, 'created'>>;
  update(id: string, changes: Body<C, N, 'update'>, options?: ChangeOptions): Promise<Result<C, N, 'updated'>>;
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

/** The routes of a type with one record. */
export interface Single<C, N extends keyof C> {
  get<const Inc extends Paths<C, N, 'get'> = [], const F extends FieldName<C, N, 'get'> = never>(
    options?: GetOptions<Inc, F>,
  ): Promise<Selected<C, N, 'get', Inc[number], F>>;
  update(changes: Body<C, N, 'update'>, options?: ChangeOptions): Promise<Result<C, N, 'updated'>>;
}

/** What the client has besides the content types. A type of one of these names is reached by `collection`. */
export interface ClientParts<C> {
  readonly auth: Auth;
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
  list<
    const Inc extends Paths<C, keyof C & 'comments', 'get'> = [],
    const F extends FieldName<C, keyof C & 'comments', 'get'> = never,
  >(
    options?: Omit<ListOptions<C, keyof C & 'comments', 'get', Inc, F>, 'sort' | 'search' | 'cursor'>,
  ): Promise<Page<Threaded<Selected<C, keyof C & 'comments', 'get', Inc[number], F>>>>;
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

/** Names of the client's own members. */
type ReservedName = keyof ClientParts<unknown> | 'admin';

export type Client<C> = ClientParts<C> & {
  readonly [N in Exclude<NamesOf<C, 'collection'>, ReservedName> as N | CamelCase<N>]: Collection<C, N>;
} & { readonly [N in Exclude<NamesOf<C, 'single'>, ReservedName> as N | CamelCase<N>]: Single<C, N> };

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
  // The parts by their names, and a collection for each other name, as the type says.
  return clientOf(options, () => ({})) as Client<C>;
}

/** The client, with the parts that another entry adds. */
export function clientOf(options: ClientOptions, more: (send: Send, tags: Tags) => object): object {
  const { session: kept = 'memory', token } = options;
  const session = createSession(createTransport(options), kept === 'memory' ? inMemory() : kept, options.url);
  const source = token ? fixedToken(token) : session;
  const send = createTransport(options, source);
  const tags = createTags();
  const writer = (name: string) => {
    const plural = kebabCase(name);
    return recordWriter(send, tags, collectionPath(plural), options.simple_mode?.includes(plural));
  };
  const type = (name: string) => writer(name).calls;
  const { act, calls: media } = writer('media');
  return byName(type, {
    auth: session.auth(send),
    collection: type,
    media: { ...media, upload: (file: Blob, given?: UploadOptions) => upload(send, act, file, given) },
    thread(slug: string) {
      const path = `/posts/${encodeURIComponent(slug)}/comments`;
      return {
        list: recordReader(send, path).list,
        create: (comment: object, given?: CreateOptions) => act(path, comment, given),
      };
    },
    events: (given: EventsOptions = {}) => events(send, given, source.token),
    request: send,
    ...more(send, tags),
  });
}

export type { View };
