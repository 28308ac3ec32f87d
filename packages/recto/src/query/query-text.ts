import { badRequest } from '../base/problem.ts';
import { truncate } from '../base/truncate.ts';
import { absentIfEmpty } from '../definition/empty-parameters.ts';

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
export const shownName = (name: string): string => truncate(name, 64);

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

export interface PageLimits {
  readonly maxPageSize: number;
}

/** The page that a list is asked for. */
export interface Paging {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** The page of this number, its size capped at the maximum; 400 for one that no database could count to. */
export function pagingOf(page: number, pageSize: number, { maxPageSize }: PageLimits): Paging {
  const capped = Math.min(pageSize, maxPageSize);
  if (!Number.isSafeInteger(page * capped)) throw invalidParameter('page', 'a page that can exist');
  return { page, pageSize: capped };
}

export const offsetOf = ({ page, pageSize }: Paging): number => (page - 1) * pageSize;

/** The value of a parameter; undefined where it is not given, or empty and that means the same. */
export function readGiven<T>(
  parameters: ReadonlyMap<string, string>,
  name: string,
  parse: (name: string, text: string) => T,
): T | undefined {
  const text = parameters.get(name);
  return text === undefined || (text === '' && absentIfEmpty.has(name)) ? undefined : parse(name, text);
}
