import type { FactorMethod, SecondFactorRequired } from './auth.ts';
import type { ServiceErrorCode } from './service-error-code.ts';

/** One field's error in a 422 response. */
export interface FieldError<Field extends string = string> {
  /** Path of the field: `title`, `items[2].id`. */
  readonly field: Field | (string & {});
  /** Stable, in snake_case. */
  readonly code: string;
  readonly message: string;
}

/** Codes that the client itself gives. Of the first two no response of the service is behind: the status is 0. */
export type ClientErrorCode =
  /** The service could not be reached, or the connection broke. */
  | 'offline'
  /** No response within the timeout. */
  | 'timeout'
  /** The response was no problem of the service: a proxy may have answered. */
  | 'unexpected_response';

export type ErrorCode = ClientErrorCode | ServiceErrorCode | (string & {});

/** A failed request, made from the service's problem response (RFC 9457, `application/problem+json`). */
export class RectoError<Code extends string = ErrorCode, Payload = unknown> extends Error {
  /** The HTTP status; 0 where there was no response. */
  declare readonly status: number;
  /** The problem's code, stable, in snake_case; `unexpected_response` where the response was not a problem. */
  declare readonly code: Code;
  /** Every field's error of a 422 response; otherwise empty. */
  declare readonly errors: readonly FieldError<PayloadField<Payload>>[];
  /** Names the request in the service's log; absent where a proxy answered instead. */
  declare readonly request_id: string | undefined;
  /** Seconds after which the service may be asked again (`Retry-After`). */
  declare readonly retry_after: number | undefined;
  /** The address of what the request has made, where its response was not kept (`answer_not_kept`). */
  declare readonly location: string | undefined;

  /** Of `second_factor_required`: what `auth.secondFactor` takes. */
  declare readonly second_factor: SecondFactorRequired | undefined;
  /** Of `step_up_required` and `second_factor_required`: the ways to give the proof. */
  declare readonly methods: readonly ('password' | FactorMethod)[] | undefined;

  /** `body` is what the response had, whatever it is. */
  constructor(status: number, body: unknown, headers?: Headers, cause?: unknown) {
    // Every problem of the service has a code; what a proxy answers has none.
    const isProblem = typeof Object(body).code === 'string';
    const problem = (isProblem ? body : { code: 'unexpected_response' }) as Problem<Payload>;
    const { code, title, detail, errors, challenge, methods, expires_in, options } = problem;
    const header = (name: string): string | undefined => headers?.get(name) ?? undefined;
    super(detail ?? title ?? `The request failed: ${code} (status ${status}).`, { cause });
    const after = Number(header('retry-after'));
    Object.assign(this, {
      name: 'RectoError',
      status,
      code,
      errors: Array.isArray(errors) ? errors : [],
      methods,
      second_factor: challenge && { challenge, methods, expires_in, options },
      request_id: header('x-request-id'),
      location: header('location'),
      retry_after: after >= 0 ? after : undefined,
    });
  }

  /** Whether it has this code. */
  is<Asked extends string>(code: Asked): this is RectoError<Asked, Payload> {
    const own: string = this.code;
    return own === code;
  }

  /** The errors by field, the first of each: what a form shows. */
  get fields(): { readonly [Field in PayloadField<Payload>]?: FieldError } {
    // Any other path that the service reports is there too.
    return Object.fromEntries(this.errors.map((error) => [error.field, error]).reverse());
  }
}

/** The status of a failed request; false for any other error. */
export const statusOf = (error: unknown): number | false => error instanceof RectoError && error.status;

type PayloadField<Payload> = unknown extends Payload ? string : keyof Payload & string;

/**
 * Whether a write was rejected for its data, whose type names the fields: `if (isInvalid<ArticleCreate>(error)) show(error.fields.title)`.
 */
export const isInvalid = <Payload>(error: unknown): error is RectoError<'validation_failed', Payload> =>
  error instanceof RectoError && error.is('validation_failed');

interface Problem<Payload> extends Partial<SecondFactorRequired> {
  readonly code: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly FieldError<PayloadField<Payload>>[];
}
