/** One field's error in a 422 response. */
export interface FieldError {
  /** Path of the field: `title`, `items[2].id`. */
  readonly field: string;
  /** Stable, in snake_case. */
  readonly code: string;
  readonly message: string;
}

/** A failed request, made from the service's problem response (RFC 9457, `application/problem+json`). */
export class RectoError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** The problem's code, stable, in snake_case; `unexpected_response` where the response was not a problem. */
  readonly code: string;
  /** Every field's error of a 422 response; otherwise empty. */
  readonly errors: readonly FieldError[];
  /** Names the request in the service's log; absent where a proxy answered instead. */
  readonly request_id: string | undefined;

  constructor(status: number, problem: Readonly<Record<string, unknown>>, requestId?: string) {
    super(text(problem.detail) ?? text(problem.title) ?? `The service answered with status ${status}.`);
    this.name = 'RectoError';
    this.status = status;
    this.code = text(problem.code) ?? 'unexpected_response';
    this.errors = Array.isArray(problem.errors) ? problem.errors.filter(isFieldError) : [];
    this.request_id = text(problem.request_id) ?? requestId;
  }

  /** Reads the body of a failed response, whatever it holds; it does not throw. */
  static async from(response: Response): Promise<RectoError> {
    const body: unknown = await response.json().catch(() => undefined);
    const requestId = response.headers.get('x-request-id') ?? undefined;
    return new RectoError(response.status, isObject(body) ? body : {}, requestId);
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFieldError = (value: unknown): value is FieldError =>
  isObject(value) &&
  typeof value.field === 'string' &&
  typeof value.code === 'string' &&
  typeof value.message === 'string';
