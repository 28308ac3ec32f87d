/** An error as it appears in the log. */
export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: ErrorFields;
  /** The errors of an `AggregateError`. */
  readonly errors?: readonly ErrorFields[];
}

const deepestCause = 8;

/**
 * Describes any thrown value. pino's own serializer also copies every other property of the error, which may be a secret
 * (a statement's parameters, a request) or a value without a JSON form, which would lose the entire error.
 */
export function errorFields(error: unknown, depth = deepestCause): ErrorFields {
  try {
    return readFields(error, depth);
  } catch {
    // Code of a deployment can throw what cannot even be read. The line that reports it must not fail because of that.
    return { type: typeof error, message: 'something that cannot be read was thrown' };
  }
}

function readFields(error: unknown, depth: number): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: messageOf(error) };
  const { name, message, stack, cause } = error;
  return {
    type: String(name),
    message: String(message),
    ...('code' in error && isCode(error.code) ? { code: error.code } : {}),
    ...(typeof stack === 'string' ? { stack } : {}),
    ...(cause === undefined || depth === 0 ? {} : { cause: errorFields(cause, depth - 1) }),
    ...(error instanceof AggregateError && depth > 0
      ? { errors: error.errors.map((each) => errorFields(each, depth - 1)) }
      : {}),
  };
}

/** Bun's module loading errors are not `Error`s, but have a message. */
function messageOf(thrown: unknown): string {
  const hasMessage = typeof thrown === 'object' && thrown !== null && 'message' in thrown;
  return hasMessage ? String(thrown.message) : String(thrown);
}

const isCode = (code: unknown): code is string | number => typeof code === 'string' || typeof code === 'number';
