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
export function unreadableIn(value: unknown, path = ''): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  if (isUnreadable(value)) return { [path]: value.reason };
  const inside: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item, index) => [itemPath(path, index), item])
    : Object.entries(value).map(([name, member]) => [memberPath(path, name), member]);
  return Object.assign({}, ...inside.map(([at, member]) => unreadableIn(member, at)));
}
