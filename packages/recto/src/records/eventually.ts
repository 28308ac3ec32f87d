import type { Eventually } from '../database/database.ts';

/** Goes on with a value now if it is there, later if it is a promise: reads from an embedded database stay free of turns of the event loop. */
export function then<T, U>(value: Eventually<T>, next: (value: T) => Eventually<U>): Eventually<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
