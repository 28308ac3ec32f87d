import type { Table } from '../../values/json-table.ts';
import type { DirectusCollection } from './directus-schema.ts';

/** More than these in a field of choices are no choices. */
const mostValues = 200;
const mostLanguages = 100;
const longestLanguage = 35;

/** What the records of a collection hold, so that definitions fit them. */
export class Evidence {
  total = 0;
  readonly #empty = new Set<string>();
  readonly #values: ReadonlyMap<string, Set<string>>;

  constructor({ fields, key }: DirectusCollection) {
    this.#values = new Map(
      fields.filter(({ options }) => Array.isArray(options.choices)).map(({ name }) => [name, new Set()]),
    );
    this.#key = key;
    this.#names = fields.map(({ name }) => name);
  }

  readonly #names: readonly string[];
  readonly #key: string;
  readonly #said = new Map<string, Set<string>>();
  /** The first ids of records. */
  readonly keys = new Set<string>();

  add(row: Table): void {
    this.total += 1;
    if (this.keys.size < mostLanguages) this.keys.add(String(row[this.#key]));
    for (const name of this.#names) {
      const value = row[name];
      if (value === undefined || value === null || value === '') this.#empty.add(name);
      else if (typeof value === 'string' && value.length <= longestLanguage) this.#say(name, value);
      const values = this.#values.get(name);
      if (values === undefined || values.size > mostValues || value === undefined || value === null) continue;
      for (const each of Array.isArray(value) ? value : [value]) values.add(String(each));
    }
  }

  #say(name: string, value: string): void {
    const said = this.#said.get(name) ?? new Set();
    if (said.size < mostLanguages) this.#said.set(name, said.add(value));
  }

  /** The languages that a field names. */
  languages(name: string): ReadonlySet<string> {
    return this.#said.get(name) ?? new Set();
  }

  /** Whether a record has no value of the field. */
  hasEmpty(name: string): boolean {
    return this.#empty.has(name);
  }

  /** The values of a field of choices. */
  values(name: string): ReadonlySet<string> {
    return this.#values.get(name) ?? new Set();
  }
}
