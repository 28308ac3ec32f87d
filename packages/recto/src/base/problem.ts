/** One issue in a request body, listed in a 422 response. `field` is a path such as `title` or `items[2].id`. */
export interface FieldFault {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** The most errors that a problem lists, so that the response is not larger than a request full of errors. */
export const mostErrors = 256;

export type ProblemStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 412
  | 413
  | 415
  | 416
  | 422
  | 429
  | 500
  | 503
  | 507;

/** A record that uses another one, and the field where it does. */
export interface UsePlace {
  readonly type: string;
  readonly id: string;
  readonly field: string;
  /** Where in the value, of a structured field: `body[1].picture`. */
  readonly places?: readonly string[];
}

interface ProblemDetails {
  /** What uses the record that was to be removed. */
  readonly places?: readonly UsePlace[];
  /** Where the error is in an expression that was sent: its character, from 1. */
  readonly position?: number;
  /** Where the error is in an object that was sent as a parameter: `$or[1].views.gt`. */
  readonly path?: string;
  readonly errors?: readonly FieldFault[];
  /** Further members of the problem (RFC 9457, section 3.2), by their names in the API. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * An error for the caller, sent as `application/problem+json` (RFC 9457). Thrown anywhere, rendered once.
 * `code` is snake_case and stable; `detail` is a sentence for a person and never repeats a secret.
 */
export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly code: string;
  readonly errors: readonly FieldFault[] | undefined;
  readonly position: number | undefined;
  readonly path: string | undefined;
  readonly places: readonly UsePlace[] | undefined;
  readonly members: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(status: ProblemStatus, code: string, detail: string, details: ProblemDetails = {}) {
    super(detail, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.errors = details.errors?.slice(0, mostErrors);
    this.position = details.position;
    this.path = details.path;
    this.places = details.places;
    this.members = details.members;
    this.headers = details.headers;
  }
}

export const badRequest = (code: string, detail: string): Problem => new Problem(400, code, detail);

/** RFC 9110, section 11.6.1: a 401 names the required scheme. */
export const unauthorized = (code: string, detail: string): Problem =>
  new Problem(401, code, detail, { headers: { 'WWW-Authenticate': 'Bearer' } });

export const forbidden = (code: string, detail: string): Problem => new Problem(403, code, detail);

export const notFound = (detail = 'There is no such record.'): Problem => new Problem(404, 'not_found', detail);

export const conflict = (code: string, detail: string): Problem => new Problem(409, code, detail);

export const invalid = (errors: readonly FieldFault[]): Problem =>
  new Problem(422, 'validation_failed', howMany(errors.length), { errors });

function howMany(errors: number): string {
  if (errors === 1) return 'One field is not valid.';
  if (errors <= mostErrors) return `${errors} fields are not valid.`;
  // "At least", because schema validation stops at a limit.
  return `At least ${errors} fields are not valid; the first ${mostErrors} are listed.`;
}

export const tooMany = (detail: string, retryAfterSeconds: number): Problem =>
  new Problem(429, 'rate_limited', detail, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });

export const unavailable = (code: string, detail: string, cause?: unknown): Problem =>
  new Problem(503, code, detail, { headers: { 'Retry-After': '1' }, cause });
