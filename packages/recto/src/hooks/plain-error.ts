import { Problem } from '../base/problem.ts';
import { thrownText } from '../definition/safe-copy.ts';
import type { PlainError, PlainProblem } from './thread-messages.ts';

/** An error, so that it can be sent to another thread. */
export function plainError(error: unknown): PlainError {
  try {
    const { message, stack } = plainTexts(error);
    if (!(error instanceof Problem)) return { message, stack };
    const { status, code, errors } = error;
    return structuredClone({
      ...{ message, stack },
      problem: { status, code, detail: message, ...(errors === undefined ? {} : { errors }) },
    });
  } catch {
    // Code of a deployment can throw what cannot even be read or copied.
    return { message: thrownText(error) };
  }
}

/** An error's own texts: its members may be anything. */
function plainTexts(error: unknown): Pick<PlainError, 'message' | 'stack'> {
  if (!(error instanceof Error)) return { message: thrownText(error) };
  const { message, stack } = error;
  return { message: String(message), ...(typeof stack === 'string' ? { stack } : {}) };
}

/** The error that was sent. A problem that cannot be answered with is an error like any other. */
export function errorOf({ message, stack, problem }: PlainError): Error {
  if (problem !== undefined && isAnswerable(problem)) {
    const { status, code, detail, errors } = problem;
    return new Problem(status, code, detail, errors === undefined ? {} : { errors });
  }
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** Code of a deployment made it, perhaps with values that no compiler has seen. */
function isAnswerable({ status, code, errors }: PlainProblem): boolean {
  const isStatus = Number.isInteger(status) && status >= 400 && status <= 599;
  return (
    isStatus && typeof code === 'string' && (errors === undefined || (Array.isArray(errors) && errors.every(isFault)))
  );
}

const isFault = (fault: unknown): boolean => {
  const { field, code, message } = Object(fault);
  return [field, code, message].every((text) => typeof text === 'string');
};
