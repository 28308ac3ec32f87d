import { badRequest } from '../base/problem.ts';
import { shortened } from '../base/shortened.ts';

/** The parameters of a query string (without `?`), each at most once; 400 for one that is given twice. */
export function readParameters(search: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  if (search === '') return parameters;
  for (const [name, value] of new URLSearchParams(search)) {
    if (parameters.has(name)) {
      throw badRequest('doubled_parameter', `The parameter "${shownName(name)}" is given more than once.`);
    }
    parameters.set(name, value);
  }
  return parameters;
}

export const invalidParameter = (name: string, wanted: string) =>
  badRequest('invalid_parameter', `The parameter "${shownName(name)}" must be ${wanted}.`);

/** A name that a caller sent, as a message repeats it. */
export const shownName = (name: string): string => shortened(name, 64);

/** A whole number of at least 1, written plainly. */
export function readPositiveInteger(name: string, text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value < 1) throw invalidParameter(name, 'a whole number of at least 1');
  return value;
}

/**
 * A page size: a whole number of at least 1. Page sizes are capped, so one beyond every exact number (`1e400`, or 16 digits
 * and more) is read as the greatest.
 */
export function readPageSize(name: string, text: string): number {
  const isGreat = /^0*[1-9]\d{15,}$/.test(text) || (/^\d+(?:\.\d+)?e\+?\d+$/i.test(text) && Number(text) > greatest);
  return isGreat ? greatest : readPositiveInteger(name, text);
}

const greatest = Number.MAX_SAFE_INTEGER;

export function readBoolean(name: string, text: string): boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw invalidParameter(name, '"true" or "false"');
}
