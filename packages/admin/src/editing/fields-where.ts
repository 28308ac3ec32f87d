import type { FieldState, Same } from './field-state.ts';

type Fields = ReadonlyMap<string, FieldState>;

/**
 * The names of the fields of which something holds, found once for each version of the fields. A key that is typed changes one field of
 * perhaps a thousand, and the names are asked for several times after it.
 */
export class FieldsWhere {
  readonly #holds: (field: FieldState, same: Same) => boolean;
  readonly #same: (name: string) => Same;
  readonly #known = new WeakMap<Fields, readonly string[]>();

  constructor(holds: (field: FieldState, same: Same) => boolean, same: (name: string) => Same) {
    this.#holds = holds;
    this.#same = same;
  }

  /** In the order of the fields. The same array for as long as the names are the same and fields change one by one. */
  of(fields: Fields): readonly string[] {
    const known = this.#known.get(fields);
    if (known !== undefined) return known;
    const names: string[] = [];
    for (const [name, field] of fields) if (this.#holds(field, this.#same(name))) names.push(name);
    this.#known.set(fields, names);
    return names;
  }

  /** `after` differs from `before` in the field of this name alone. */
  follow(before: Fields, after: Fields, name: string): void {
    const known = this.#known.get(before);
    if (known !== undefined && this.#at(before, name) === this.#at(after, name)) this.#known.set(after, known);
  }

  #at(fields: Fields, name: string): boolean {
    const field = fields.get(name);
    return field !== undefined && this.#holds(field, this.#same(name));
  }
}
