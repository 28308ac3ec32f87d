import { itemPath, memberPath } from './field-path.ts';

/**
 * Text that someone typed and that is no value of its field yet, such as `{"a":`. It stands among the values, so that it is
 * kept as they are, also in the local store; it is never sent to the service.
 */
export interface Unreadable {
  readonly $unreadable: string;
  /** What is wrong with it, in a sentence. */
  readonly reason: string;
}

export const unreadable = (text: string, reason: string): Unreadable => ({ $unreadable: text, reason });

export const isUnreadable = (value: unknown): value is Unreadable =>
  typeof value === 'object' &&
  value !== null &&
  '$unreadable' in value &&
  typeof value.$unreadable === 'string' &&
  'reason' in value &&
  Object.keys(value).length === 2;

/**
 * What is unreadable in the values of a record, by path, as errors are shown. A record with any of it cannot be saved:
 * whoever sends values asks here first.
 */
export function unreadableIn(value: unknown): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  collect(value, '', found);
  return found;
}

function collect(value: unknown, path: string, found: Record<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  if (isUnreadable(value)) {
    found[path] = value.reason;
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (typeof item === 'object') collect(item, itemPath(path, index), found);
    }
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'object') collect(member, memberPath(path, name), found);
  }
}
