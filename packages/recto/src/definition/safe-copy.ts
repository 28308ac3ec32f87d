import { truncate } from '../base/truncate.ts';
import { childPath } from '../values/field-path.ts';

/** A value that cannot be copied, with the path of the part that is wrong. */
export class UncopyableValue extends Error {
  readonly path: string;

  constructor(path: string, reason: string) {
    super(reason);
    this.name = 'UncopyableValue';
    this.path = path;
  }
}

/** More values than any definition has. A value that occurs twice counts twice. */
const mostValues = 100_000;

/** What lies deeper is left as it is: `plainDefinition` reports the depth before it looks there. */
const deepest = 100;

/**
 * A copy of what a program exported, in which nothing is computed any more: getters and proxies have run, and no object
 * contains itself. Throws an UncopyableValue, and nothing else.
 */
export function safeCopy(value: unknown): unknown {
  return new Copying().copy(value, '', []);
}

class Copying {
  #values = 0;

  copy(value: unknown, path: string, ancestors: readonly object[]): unknown {
    this.#values += 1;
    if (this.#values > mostValues) throw new UncopyableValue('', `it has more than ${mostValues} values`);
    if (typeof value !== 'object' || value === null || ancestors.length > deepest) return value;
    if (ancestors.includes(value)) throw new UncopyableValue(path, 'it contains itself');
    const inside = [...ancestors, value];
    if (isDate(value)) return value;
    if (Array.isArray(value)) {
      const length = read(path, () => value.length);
      if (length > mostValues) throw new UncopyableValue(path, `it has more than ${mostValues} values`);
      return Array.from({ length }, (_, index) => {
        const place = `${path}[${index}]`;
        return this.copy(
          read(place, () => value[index]),
          place,
          inside,
        );
      });
    }
    const entries = read(path, () => Object.keys(value)).map((key): [string, unknown] => {
      const place = childPath(path, key);
      const inner: unknown = read(place, () => Reflect.get(value, key));
      return [key, this.copy(inner, place, inside)];
    });
    return Object.fromEntries(entries);
  }
}

function isDate(value: object): boolean {
  // Of a date that only says that it is one, nothing can be read.
  try {
    return value instanceof Date && typeof value.getTime() === 'number';
  } catch {
    return false;
  }
}

function read<T>(path: string, get: () => T): T {
  try {
    return get();
  } catch (error) {
    throw new UncopyableValue(path, `it cannot be read: ${thrownText(error)}`);
  }
}

/** The first line of an error's message; of several errors, the first one's. Anything can be thrown, also what has no text. */
export function thrownText(thrown: unknown): string {
  try {
    const error: unknown = thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;
    const text = String(error instanceof Error ? error.message : error);
    const [line = ''] = text.trim().split('\n');
    return truncate(line.toWellFormed(), 300);
  } catch {
    return 'something without a text was thrown';
  }
}
