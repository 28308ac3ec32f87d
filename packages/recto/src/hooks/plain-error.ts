import { Problem } from '../base/problem.ts';
import type { PlainError } from './thread-messages.ts';

/** An error, so that it can be sent to another thread. */
export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack } = error;
  if (!(error instanceof Problem)) return { message, stack };
  const { status, code, errors } = error;
  return { message, stack, problem: { status, code, detail: message, ...(errors === undefined ? {} : { errors }) } };
}

/** The error that was sent. */
export function errorOf({ message, stack, problem }: PlainError): Error {
  if (problem !== undefined) {
    const { status, code, detail, errors } = problem;
    return new Problem(status, code, detail, errors === undefined ? {} : { errors });
  }
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
