import type { IncludePath, Page, RecordOf, Result, View } from './content.ts';
import { type Filter, filterText } from './filter.ts';
import type { CallOptions, QueryValue, Transport } from './transport.ts';

/** What a list takes of the URL, typed by the content. */
export interface ListOptions<C, N extends keyof C, V extends View, Inc> extends CallOptions {
  /** An expression, or an object: `{ views: { gt: 5 } }`. */
  readonly filter?: string | Filter<C, N, V>;
  readonly sort?: Sort<RecordOf<C, N, V>> | readonly Sort<RecordOf<C, N, V>>[];
  /** Relations to return as records. */
  readonly include?: Inc;
  /** Full-text search. */
  readonly search?: string;
  readonly page?: number;
  readonly page_size?: number;
  /** The `next_cursor` of the page before; instead of `page`. */
  readonly cursor?: string;
  /** Without counting: `total` is -1. */
  readonly skip_total?: boolean;
  /** Other parameters, as the route has them: `{ status: 'published', tag: 'letters' }`. */
  readonly query?: Readonly<Record<string, QueryValue>>;
}

type Sort<R> = `${keyof R & string}:${'asc' | 'desc'}`;

export interface GetOptions<Inc> extends CallOptions {
  readonly include?: Inc;
  /** Other parameters. */
  readonly query?: Readonly<Record<string, QueryValue>>;
}

export interface CreateOptions extends CallOptions {
  /** Default: a new one for each call, so that a request that is sent again is done once. */
  readonly idempotency_key?: string;
}

export interface ChangeOptions extends CallOptions {
  /**
   * Fails with 409 `stale` unless the record still has this ETag. Default: that of the last `get` (without `include`), create or
   * update of the record by this client, if there was one; `false`: whatever there is is overwritten.
   */
  readonly if_match?: string | false;
  readonly query?: Readonly<Record<string, QueryValue>>;
}

export interface AggregateOptions<C, N extends keyof C, V extends View> extends CallOptions {
  /** Fields, or units of a time: `status`, `created_at:month`, `created_at:month@Europe/Lisbon`. */
  readonly group?: string | readonly string[];
  readonly count?: boolean;
  readonly sum?: string | readonly string[];
  readonly avg?: string | readonly string[];
  readonly min?: string | readonly string[];
  readonly max?: string | readonly string[];
  readonly sort?: string | readonly string[];
  readonly filter?: string | Filter<C, N, V>;
  readonly search?: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
}

export interface Aggregate {
  items: (Record<string, unknown> & {
    count?: number;
    sum?: Record<string, number | string | null>;
    avg?: Record<string, number | string | null>;
    min?: Record<string, number | string | null>;
    max?: Record<string, number | string | null>;
  })[];
  /** There are more groups than were returned. */
  truncated: boolean;
}

export type Paths<C, N extends keyof C, V extends View> = readonly IncludePath<C, N, V>[];

/** Reads the records of one type. */
export interface Reader<C, N extends keyof C, L extends View, G extends View> {
  list<const Inc extends Paths<C, N, L> = []>(
    options?: ListOptions<C, N, L, Inc>,
  ): Promise<Page<Result<C, N, L, Inc[number]>>>;
  /** Every record of the list, page by page: the next page is asked for when the last record of one has been used. */
  all<const Inc extends Paths<C, N, L> = []>(
    options?: Omit<ListOptions<C, N, L, Inc>, 'page' | 'skip_total'>,
  ): AsyncGenerator<Result<C, N, L, Inc[number]>, void>;
  /** By id; posts and pages by slug. */
  get<const Inc extends Paths<C, N, G> = []>(
    id: string,
    options?: GetOptions<Inc>,
  ): Promise<Result<C, N, G, Inc[number]>>;
  aggregate(options: AggregateOptions<C, N, L>): Promise<Aggregate>;
}

interface Untyped extends CallOptions {
  readonly include?: readonly string[];
  readonly sort?: string | readonly string[];
  readonly filter?: string | object;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly cursor?: string;
  readonly page_size?: number;
}

/** Parameters of the URL: all options but those of the call itself. */
function parameters({ signal, timeout, query, filter, ...own }: Untyped): Readonly<Record<string, QueryValue>> {
  // What is left are parameters by their own names: texts, numbers, booleans and lists of texts.
  const named = own as Readonly<Record<string, QueryValue>>;
  return { ...query, ...named, ...(filter === undefined ? {} : { filter: filterText(filter) || undefined }) };
}

/** The calls of a `Reader`, whose types are in the interface alone. */
export class RecordReader {
  protected readonly transport: Transport;
  protected readonly path: string;

  constructor(transport: Transport, path: string) {
    this.transport = transport;
    this.path = path;
  }

  list(options: Untyped = {}): Promise<Page<object>> {
    return this.transport.json('GET', this.path, { ...options, query: parameters(options) });
  }

  async *all(options: Untyped = {}): AsyncGenerator<object, void> {
    for (let cursor = options.cursor; ; ) {
      const query = parameters({ page_size: 100, ...options, ...(cursor === undefined ? {} : { cursor }) });
      const page: Page<object> = await this.transport.json('GET', this.path, {
        ...options,
        query: { ...query, skip_total: true },
      });
      yield* page.items;
      cursor = page.next_cursor;
      if (cursor === undefined) return;
    }
  }

  async get(id?: string | Untyped, given: Untyped = {}): Promise<object> {
    const options = typeof id === 'object' ? id : given;
    const path = this.of(typeof id === 'object' ? undefined : id);
    const { body, headers } = await this.transport.send<object>('GET', path, {
      ...options,
      query: parameters(options),
    });
    if (options.include === undefined && options.query === undefined) this.kept(path, headers);
    return body;
  }

  aggregate(options: Untyped): Promise<Aggregate> {
    return this.transport.json('GET', `${this.path}/aggregate`, { ...options, query: parameters(options) });
  }

  /** A record was returned whole, by this path. */
  protected kept(_path: string, _headers: Headers): void {}

  protected of(id: string | undefined, more = ''): string {
    if (id === '') throw new TypeError('An id is missing.');
    return `${this.path}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${more}`;
  }
}
