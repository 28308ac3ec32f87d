import { addVary } from './responses/answer-headers.ts';

/**
 * Which pages of other origins may read the answers (Fetch standard, "CORS protocol"). Callers carry their token in a header that the
 * page itself sets, so credentials (cookies) are never allowed, for no origin.
 */
export class CorsPolicy {
  readonly #any: boolean;
  readonly #origins: ReadonlySet<string>;

  /** Exact origins such as `https://example.org`, or `*` for all. */
  constructor(origins: readonly string[]) {
    this.#any = origins.includes('*');
    this.#origins = new Set(origins);
  }

  /** The headers that an answer gets. */
  apply(request: Request, headers: Headers): void {
    const allowed = this.#any ? '*' : this.#matching(request);
    // Even without an Origin: a cache must not show this answer to a request that has one.
    if (!this.#any) addVary(headers, 'Origin');
    if (allowed === null) return;
    headers.set('Access-Control-Allow-Origin', allowed);
    headers.set('Access-Control-Expose-Headers', exposed);
  }

  /** What is more on the answer to an OPTIONS request that asks before another. */
  applyPreflight(request: Request, headers: Headers, methods: string): void {
    if (!request.headers.has('access-control-request-method')) return;
    if (!this.#any && this.#matching(request) === null) return;
    headers.set('Access-Control-Allow-Methods', methods);
    headers.set(
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Range, Recto-Preview, Recto-Tenant, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, X-HTTP-Method-Override, X-Request-Id',
    );
    headers.set('Access-Control-Max-Age', '7200');
  }

  #matching(request: Request): string | null {
    const origin = request.headers.get('origin');
    return origin !== null && this.#origins.has(origin) ? origin : null;
  }
}

const exposed =
  'X-Request-Id, ETag, Location, Cache-Status, Retry-After, Idempotent-Replayed, Accept-Ranges, Content-Disposition, Content-Range, Recto-Media, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset';
