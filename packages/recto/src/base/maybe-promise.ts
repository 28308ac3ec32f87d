/** A promise, or (from memory or an embedded database) the value itself: `await` either. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value now if it is there, later if it is a promise: what is ready costs no turn of the event loop. */
export function mapMaybe<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
