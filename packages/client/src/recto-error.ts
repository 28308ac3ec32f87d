/** One field's error in a 422 response. */
export interface FieldError<Field extends string = string> {
  /** Path of the field: `title`, `items[2].id`. */
  readonly field: Field | (string & {});
  /** Stable, in snake_case. */
  readonly code: string;
  readonly message: string;
}

/** Codes that the client itself gives, with status 0: no response of the service is behind them. */
export type ClientErrorCode =
  /** The service could not be reached, or the connection broke. */
  | 'offline'
  /** No response within the timeout. */
  | 'timeout';

/** The codes of the service that programs most often act on. There are more: see the REST API's list of problems. */
export type ServiceErrorCode =
  | 'validation_failed'
  | 'invalid_parameter'
  | 'invalid_filter'
  | 'invalid_cursor'
  | 'answer_too_large'
  | 'authentication_required'
  | 'invalid_token'
  | 'invalid_credentials'
  | 'forbidden'
  | 'not_found'
  | 'route_not_found'
  | 'stale'
  | 'lock_version_mismatch'
  | 'record_in_use'
  | 'draft_conflict'
  | 'too_many_requests'
  | 'unexpected_response';

export type ErrorCode = ClientErrorCode | ServiceErrorCode | (string & {});

/** A failed request, made from the service's problem response (RFC 9457, `application/problem+json`). */
export class RectoError<Code extends string = ErrorCode> extends Error {
  /** The HTTP status; 0 where there was no response. */
  readonly status: number;
  /** The problem's code, stable, in snake_case; `unexpected_response` where the response was not a problem. */
  readonly code: Code;
  /** Every field's error of a 422 response; otherwise empty. */
  readonly errors: readonly FieldError[];
  /** Names the request in the service's log; absent where a proxy answered instead. */
  readonly request_id: string | undefined;

  constructor(status: number, problem: Readonly<Record<string, unknown>>, requestId?: string, cause?: unknown) {
    const message = text(problem.detail) ?? text(problem.title) ?? `The service answered with status ${status}.`;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'RectoError';
    this.status = status;
    // The codes are an open set: `Code` only narrows what `is` has compared.
    this.code = (text(problem.code) ?? 'unexpected_response') as Code;
    this.errors = Array.isArray(problem.errors) ? problem.errors.filter(isFieldError) : [];
    this.request_id = text(problem.request_id) ?? requestId;
  }

  /** Whether it has this code. */
  is<Asked extends string>(code: Asked): this is RectoError<Asked> {
    const own: string = this.code;
    return own === code;
  }

  /** The errors by field, the first of each: what a form shows. */
  get fields(): Readonly<Record<string, FieldError | undefined>> {
    return Object.fromEntries([...this.errors].reverse().map((error) => [error.field, error]));
  }

  /** Reads the body of a failed response, whatever it holds; it does not throw. */
  static async from(response: Response): Promise<RectoError> {
    const body: unknown = await response.json().catch(() => undefined);
    const requestId = response.headers.get('x-request-id') ?? undefined;
    return new RectoError(response.status, isObject(body) ? body : {}, requestId);
  }

  /** No response: the service could not be reached, or took too long. */
  static without(code: ClientErrorCode, detail: string, cause?: unknown): RectoError {
    return new RectoError(0, { code, detail }, undefined, cause);
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
