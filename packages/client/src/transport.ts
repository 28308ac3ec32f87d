import { RectoError } from './recto-error.ts';

/** What every call takes besides its own options. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the whole response must be there, each attempt by itself. Default: that of the client. */
  readonly timeout?: number;
}

export type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface RequestOptions extends CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON, but for what `fetch` sends as it is: Blob, ArrayBuffer, streams, FormData. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface TransportOptions {
  /** Where the service is: `https://cms.example.com`. */
  readonly url: string;
  /** Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Milliseconds; default: 30,000. */
  readonly timeout?: number;
  /** How often a request is sent again that failed without a result. Default: 2. */
  readonly retries?: number;
  /** Sent with every request, such as `Recto-Tenant`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where a transport gets its access tokens. */
export interface TokenSource {
  /** Undefined: the request is anonymous. */
  token(signal?: AbortSignal): Promise<string | undefined>;
  /** Whether there is a new token in the place of this one, which the service rejected. */
  renew(rejected: string, signal?: AbortSignal): Promise<boolean>;
}

interface Attempt extends RequestOptions {
  readonly method: string;
  readonly path: string;
}

/** A 503 without `Retry-After` is asked again after this long, doubled each time, in milliseconds. */
const firstPause = 250;
/** Who is to come back later than this gets the error instead, in milliseconds. */
const longestPause = 30_000;

/** Sends requests: tokens, timeouts, retries. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #tokens: TokenSource | undefined;
  readonly #credentials: RequestInit['credentials'];

  /** Without `tokens`, requests are anonymous. With `credentials`, cookies are sent and kept. */
  constructor(options: TransportOptions, tokens?: TokenSource, credentials?: RequestInit['credentials']) {
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') };
    this.#tokens = tokens;
    this.#credentials = credentials;
  }

  /** The absolute address of a path below `/api/v1`, or of one that the service returned. */
  address(path: string, query: RequestOptions['query'] = {}): string {
    const url = new URL(/^https?:/.test(path) ? path : `${this.#options.url}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.append(name, typeof value === 'object' ? value.join() : String(value));
    }
    return url.href;
  }

  /** Sends a request and reads its JSON; undefined where the response has no body. Throws `RectoError`. */
  async json<Body>(method: string, path: string, options: RequestOptions = {}): Promise<Body> {
    return (await this.send<Body>(method, path, options)).body;
  }

  /** The same, with the response's headers. */
  send<Body>(method: string, path: string, options: RequestOptions = {}): Promise<{ body: Body; headers: Headers }> {
    return this.#attempts({ ...options, method, path }, async (response) => {
      const text = await response.text();
      // The caller says what the route returns: the types of the content follow the definitions.
      return { body: parsed(text, response) as Body, headers: response.headers };
    });
  }

  /** Opens a response whose body is read as it comes; the timeout is for its head. */
  stream(path: string, options: RequestOptions): Promise<Response> {
    return this.#attempts({ ...options, method: 'GET', path }, (response) => response);
  }

  async #attempts<Result>(request: Attempt, read: (response: Response) => Result | Promise<Result>): Promise<Result> {
    const left = this.#options.retries ?? 2;
    for (let tried = 0, renewed = false; ; tried += 1) {
      const token = await this.#tokens?.token(request.signal);
      const last = tried >= left;
      let failure: RectoError;
      let after: number | undefined;
      try {
        const response = await this.#once(request, token, read);
        if ('result' in response) return response.result;
        failure = await RectoError.from(response.failed);
        after = pauseOf(response.failed);
      } catch (error) {
        if (!(error instanceof RectoError) || last || !isRepeatable(request)) throw error;
        failure = error;
      }
      const { status } = failure;
      if (status === 401 && token !== undefined && !renewed && (await this.#tokens?.renew(token, request.signal))) {
        renewed = true;
        tried -= 1;
        continue;
      }
      // A deletion that was sent twice has been done.
      if (status === 404 && tried > 0 && request.method === 'DELETE') return read(new Response(null, { status: 204 }));
      const undone = status === 429 || status === 503;
      const broken = status === 0 || status === 502 || status === 504;
      if (last || !(undone || (broken && isRepeatable(request)))) throw failure;
      const pause = after ?? firstPause * 2 ** tried * (0.5 + Math.random());
      if (pause > longestPause) throw failure;
      await sleep(pause, request.signal);
    }
  }

  async #once<Result>(
    { method, path, query, body, headers, signal, timeout = this.#options.timeout ?? 30_000 }: Attempt,
    token: string | undefined,
    read: (response: Response) => Result | Promise<Result>,
  ): Promise<{ result: Result } | { failed: Response }> {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    const timer = setTimeout(() => controller.abort(timedOut), timeout);
    try {
      const sent = encoded(body);
      const all = new Headers(this.#options.headers);
      if (token !== undefined) all.set('Authorization', `Bearer ${token}`);
      if (sent.type !== undefined) all.set('Content-Type', sent.type);
      for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) all.set(name, value);
      const response = await (this.#options.fetch ?? fetch)(
        new Request(this.address(path, query), {
          method,
          headers: all,
          signal: controller.signal,
          ...(sent.body === undefined ? {} : { body: sent.body }),
          ...(this.#credentials === undefined ? {} : { credentials: this.#credentials }),
        }),
      );
      return response.ok ? { result: await read(response) } : { failed: await buffered(response) };
    } catch (error) {
      if (controller.signal.reason === timedOut) {
        throw RectoError.without('timeout', `No response within ${timeout} ms.`, error);
      }
      signal?.throwIfAborted();
      if (error instanceof RectoError) throw error;
      throw RectoError.without('offline', 'The service could not be reached.', error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }
}

const timedOut = new Error('timeout');

/** A body that is no JSON is that of a proxy. */
function parsed(text: string, { status }: Response): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new RectoError(status, { detail: 'The response is not JSON.' });
  }
}

/** Reads the body while the timeout still runs. */
const buffered = async (response: Response): Promise<Response> =>
  new Response(await response.arrayBuffer(), { status: response.status, headers: response.headers });

function encoded(body: unknown): { body?: RequestInit['body']; type?: string } {
  if (body === undefined) return {};
  if (body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body) || body instanceof FormData) {
    // Views are over ArrayBuffers here: shared memory cannot be sent.
    return { body: body as NonNullable<RequestInit['body']> };
  }
  return { body: JSON.stringify(body), type: 'application/json' };
}

/**
 * Whether it may be sent again when nobody knows if it was done: reads, writes with an `Idempotency-Key`, and changes that do the
 * same twice. A change with `If-Match` would fail by its own first success.
 */
const isRepeatable = ({ method, headers }: Attempt): boolean =>
  method === 'POST' ? headers?.['Idempotency-Key'] !== undefined : headers?.['If-Match'] === undefined;

/** `Retry-After` in milliseconds. */
function pauseOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/** Resolves after a time; rejects when the signal aborts. */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
