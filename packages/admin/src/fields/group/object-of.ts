import { isUnreadable } from '../unreadable.ts';

/** The members of a value that should be an object; of anything else, none. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  // An object that is no array has members by name.
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isUnreadable(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
