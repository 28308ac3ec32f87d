import { RectoError } from './recto-error.ts';

/** What every call takes besides its own options. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the whole response must be there, each attempt by itself; 0: any time. Default: that of the client. */
  readonly timeout?: number | undefined;
}

export type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface RequestOptions extends CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON, but for what `fetch` sends as it is: Blob, ArrayBuffer, FormData, streams. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The request goes on when the page is left: then its response still sets cookies. For bodies of up to 64 KiB. */
  readonly keepalive?: boolean;
  /** Sends this request in the place of the client's `fetch`, such as with a progress. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Nobody asked for it: that the session has ended is left to the next request without this, and `onEnd` hears nothing. */
  readonly background?: boolean | undefined;
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
  token(request?: RequestOptions): Promise<string | undefined>;
  /** Whether there is a new token in the place of this one, which the service rejected. Absent: it is not renewed. */
  renew?(rejected: string, request?: RequestOptions): Promise<boolean>;
}

/** An API token, which is not renewed. */
export const fixedToken = (token: string): TokenSource => ({ token: async () => token });

/**
 * Sends a request to a path below `/api/v1`, or to an address that the service returned, and reads the response: its JSON, unless `read`
 * is given. The types are those that the caller knows the route to return. Throws `RectoError`.
 */
export type Send = <Body>(
  method: string,
  path: string,
  options?: RequestOptions,
  read?: (response: Response) => Promise<Body>,
) => Promise<Body>;

/** Tokens, timeouts, retries. Without `tokens`, requests are anonymous. */
export function createTransport(
  { url, fetch: sendWith, timeout: usual = 30_000, retries = 2, headers: always }: TransportOptions,
  tokens?: TokenSource,
): Send {
  let late: AbortSignal;
  let lateOf: string | undefined;
  const root = url.replace(/\/*$/, '/');
  // `readJson` reads what the route returns, which only the caller knows.
  return async <Body>(method: string, path: string, options: RequestOptions = {}, read = readJson as Read<Body>) => {
    const { query, body, headers, signal, timeout = usual, keepalive, fetch: own = sendWith } = options;
    // What `fetch` sends as it is (Blob, ArrayBuffer, FormData, streams …) has a tag; what JSON can hold has none.
    const text = Symbol.toStringTag in Object(body) ? undefined : JSON.stringify(body);
    // `URLSearchParams` takes several times as long.
    let parameters = '';
    for (const [name, value] of given(query))
      parameters += `${parameters ? '&' : '?'}${encoded(name)}=${encoded(value)}`;
    const address = (path.startsWith('/') ? `${root}api/v1${path}` : path) + parameters;
    // Nobody else gets the token, nor what the program sends with every request.
    const isOwn = address.startsWith(root);
    for (let tried = 0, renewed: boolean | undefined, unknown: boolean | undefined; ; tried++) {
      const token = isOwn && tokens ? await tokens.token(options) : undefined;
      signal?.throwIfAborted();
      // Timers end after 24 days at the latest.
      const most = timeout || 2e9;
      // Calls that begin within a hundredth of their timeout share its signal: to make one takes as long as the rest of a call does.
      const slot = `${most} ${Math.ceil((100 * Date.now()) / most)}`;
      if (slot !== lateOf) late = AbortSignal.timeout(1.01 * most);
      lateOf = slot;
      const ending = late;
      let response: Response | undefined;
      try {
        const all: Record<string, string> = {};
        // Of headers with one name, the last counts.
        const named = {
          ...(isOwn && always),
          authorization: token && `Bearer ${token}`,
          'content-type': text && 'application/json',
          ...headers,
        };
        for (const [name, value] of given(named)) all[name.toLowerCase()] = value;
        const init = {
          method,
          headers: all,
          signal: either(signal, ending),
          // In Bun, `keepalive: false` would close the connection after the response.
          ...(keepalive && { keepalive }),
          // What has a tag is what `fetch` takes.
          ...(body !== undefined && { body: text ?? (body as RequestInit['body'] & {}) }),
        };
        // Without a function of the program's own, no `Request` is made: it would be copied once more.
        response = await (own ? own(new Request(address, init)) : fetch(address, init));
        if (response.ok) return await read(response);
        // A body that is no problem, or ends early, is none.
        throw new RectoError(response.status, await response.json().catch(() => 0), response.headers);
      } catch (cause) {
        signal?.throwIfAborted();
        const code = ending.aborted ? 'timeout' : 'offline';
        let error = cause instanceof RectoError ? cause : new RectoError(0, { code }, undefined, cause);
        if (response && cause instanceof SyntaxError) {
          // What is no JSON, unless there is nothing.
          if (response.status === 204 || response.headers.get('content-length') === '0') return undefined as Body;
          error = new RectoError(response.status, 0, response.headers);
        }
        const { status, retry_after } = error;
        if (status === 401 && token && !renewed) {
          renewed = await tokens?.renew?.(token, options);
          if (renewed) {
            tried--;
            continue;
          }
        }
        // A deletion that was sent twice has been done; there is nothing to read.
        if (status === 404 && unknown && method === 'DELETE') return undefined as Body;
        const pause = retry_after ?? (2 ** tried * (0.5 + Math.random())) / 4;
        const broken = /^(0|50[24])$/.test(`${status}`);
        // Whether it does no harm to do it again, though it may have been done.
        const safe = headers?.['Idempotency-Key'] || !(/^P[OA]/.test(method) || headers?.['If-Match']);
        const again = broken ? safe : status === 429 || status === 503;
        // Who is to come back later than in half a minute gets the error instead.
        if (tried >= retries || !again || pause > 30) throw error;
        unknown ||= broken;
        await sleep(1000 * pause, signal);
      }
    }
  };
}

type Read<Body> = (response: Response) => Promise<Body>;

/** Where there is no body, `Send` takes the SyntaxError for undefined. */
export const readJson = (response: Response): Promise<unknown> => response.json();

/** What has a value. */
export function given<Value>(
  named: Readonly<Record<string, Value | undefined>> | undefined,
): readonly [string, Value][] {
  const found: [string, Value][] = [];
  // Several times as fast as `Object.entries(…).filter(…)`.
  for (const name in named) if (named[name] !== undefined) found.push([name, named[name]]);
  return found;
}

/** A part of a query. A list becomes its items with commas. */
const encoded = (value: unknown): string =>
  // Most parts are names and numbers, which stand for themselves. `\p{Cs}` is half a surrogate pair.
  /[^\w,-:]/.test(`${value}`) ? encodeURIComponent(`${value}`.replace(/\p{Cs}/gu, '\ufffd')) : `${value}`;

/** Aborts when one of them does. */
export const either = (signal: AbortSignal | undefined, own: AbortSignal): AbortSignal =>
  signal ? AbortSignal.any([signal, own]) : own;

/** Without a time: until the signal aborts. Rejects with the signal's reason. */
export const sleep = (milliseconds: number | undefined, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = milliseconds === undefined ? undefined : setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
