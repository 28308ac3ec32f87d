import type { AggregateCall } from './aggregate.ts';
import type { FieldName, IncludePath, Page, RecordOf, Selected, View } from './content.ts';
import { type Filter, filterText } from './filter.ts';
import { type CallOptions, type QueryValue, type RequestOptions, readJson, type Send } from './transport.ts';

/** What a list takes of the URL, typed by the content. */
export interface ListOptions<C, N extends keyof C, V extends View, Inc, F extends string = FieldName<C, N, V>>
  extends CallOptions {
  /** An expression, or an object: `{ views: { gt: 5 } }`. */
  readonly filter?: string | Filter<C, N, V>;
  readonly sort?: Sort<RecordOf<C, N, V>> | readonly Sort<RecordOf<C, N, V>>[];
  /** Relations to return as records. */
  readonly include?: Inc;
  /** Fields to return; `id`, and what `include` names, are there too. Default: all. */
  readonly fields?: readonly F[];
  /** Full-text search. */
  readonly search?: string;
  /** The language of the records, of those that the service has: `de`. Default: its first. */
  readonly language?: string;
  /** Whether other languages stand in for values that this one lacks. Default: in public reads. */
  readonly fallback?: boolean;
  /** Whether records of types with localized fields have `__alternates`: their slugs and addresses in all languages. */
  readonly alternates?: boolean;
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

export interface GetOptions<Inc, F extends string = string> extends CallOptions {
  readonly include?: Inc;
  readonly fields?: readonly F[];
  /** As in `ListOptions`. */
  readonly language?: string;
  readonly fallback?: boolean;
  readonly alternates?: boolean;
  /** Other parameters. */
  readonly query?: Readonly<Record<string, QueryValue>>;
}

export interface CreateOptions extends CallOptions {
  /** Default: a new one for each call, so that a request that is sent again is done once. */
  readonly idempotency_key?: string | undefined;
}

export interface ChangeOptions extends CallOptions {
  /**
   * Fails with 409 `stale` unless the record still has this ETag. Default: that of the last `get` (without `include` and `fields`), create or
   * update of the record by this client, if there was one; `false`: whatever there is is overwritten.
   */
  readonly if_match?: string | false;
  /** The language that is written. Default: the first of the service. */
  readonly language?: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
}

export type Paths<C, N extends keyof C, V extends View> = readonly IncludePath<C, N, V>[];

/** Reads the records of one type. */
export interface Reader<C, N extends keyof C, L extends View, G extends View> {
  list<const Inc extends Paths<C, N, L> = [], const F extends FieldName<C, N, L> = never>(
    options?: ListOptions<C, N, L, Inc, F>,
  ): Promise<Page<Selected<C, N, L, Inc[number], F>>>;
  /** Every record of the list, page by page: the next page is asked for when the last record of one has been used. */
  all<const Inc extends Paths<C, N, L> = [], const F extends FieldName<C, N, L> = never>(
    options?: Omit<ListOptions<C, N, L, Inc, F>, 'page' | 'skip_total'>,
  ): AsyncGenerator<Selected<C, N, L, Inc[number], F>, void>;
  /** All records of the list as a file of CSV, as it arrives. Without `timeout`, it may take any time. */
  csv<const F extends FieldName<C, N, L> = never>(
    options?: Omit<ListOptions<C, N, L, [], F>, 'include' | 'page' | 'page_size' | 'cursor' | 'skip_total'>,
  ): Promise<ReadableStream<Uint8Array>>;
  /** By id; posts and pages by slug. */
  get<const Inc extends Paths<C, N, G> = [], const F extends FieldName<C, N, G> = never>(
    id: string,
    options?: GetOptions<Inc, F>,
  ): Promise<Selected<C, N, G, Inc[number], F>>;
  readonly aggregate: AggregateCall<C, N, L>;
}

export interface Untyped extends CallOptions {
  readonly include?: readonly string[];
  readonly fields?: readonly string[];
  readonly may?: boolean;
  readonly language?: string;
  readonly alternates?: boolean;
  readonly filter?: string | object;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly cursor?: string | undefined;
}

/** The request of a call: all options but those of the call itself are parameters of the URL. */
export function reading({ signal, timeout, query, filter, ...own }: Untyped): RequestOptions {
  // What is left are parameters by their own names: texts, numbers, booleans and lists of texts.
  const named = own as Readonly<Record<string, QueryValue>>;
  return { signal, timeout, query: { ...query, ...named, filter: filter && filterText(filter) } };
}

/** The address of a record; without an id, of the type. */
export function addressOf(path: string, id: string | undefined, more = ''): string {
  if (id === '') throw new TypeError('An id is missing.');
  return `${path}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${more}`;
}

/** The calls of a `Reader`, whose types are in the interface alone. With `kept`, a record was returned whole, by an address. */
export function recordReader(send: Send, path: string, kept?: (address: string, headers: Headers) => void) {
  const list = (options: Untyped = {}): Promise<Page<object>> => send('GET', path, reading(options));
  return {
    list,
    async *all(options: Untyped = {}): AsyncGenerator<object, void> {
      let { cursor } = options;
      do {
        const { items, next_cursor } = await list({ page_size: 100, ...options, cursor, skip_total: true } as Untyped);
        yield* items;
        cursor = next_cursor;
      } while (cursor);
    },
    csv: (options: Untyped = {}): Promise<unknown> =>
      send('GET', path, reading({ timeout: 0, ...options, format: 'csv' } as Untyped), async ({ body }) => body),
    /** `get(id, options)`; of a single type `get(options)`. */
    get(...given: readonly [id?: string | Untyped, options?: Untyped]): Promise<unknown> {
      // Without an id, the options come first.
      const [name, options = {}] = (typeof given[0] === 'object' ? [undefined, ...given] : given) as readonly [
        string | undefined,
        Untyped | undefined,
      ];
      const address = addressOf(path, name);
      const request = reading(options);
      return send('GET', address, request, (response) => {
        // With parameters, such as a language, the record has another tag.
        if (!Object.values(request.query ?? {}).some(Boolean)) kept?.(address, response.headers);
        return readJson(response);
      });
    },
    aggregate: (options: Untyped): Promise<unknown> => send('GET', `${path}/aggregate`, reading(options)),
  };
}
