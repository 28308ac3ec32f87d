import { sql } from 'kysely';
import { type MaybePromise, mapMaybe } from '../../base/maybe-promise.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { FilterTerm } from '../../query/row-query.ts';
import { fieldValue } from '../plans/field-values.ts';
import { column, tableAs } from '../plans/sql-parts.ts';
import type { ReadContext } from '../select/read-context.ts';

interface KnownSpellings {
  readonly stamp: number;
  /** The elements as they are stored, by each of their keys. */
  readonly byKey: ReadonlyMap<string, readonly string[]>;
}

/**
 * How the elements of a field are written in stored records, such as all tags of posts. A filter that names one in another
 * letter case, or by its slug, looks for these. What is found is remembered until a record of the type changes.
 */
export class ElementSpellings {
  readonly #context: ReadContext;
  readonly #known = new Map<Field, KnownSpellings>();

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** The JSON array of the stored elements that a text means. */
  of(type: ContentType, field: Field, text: string): MaybePromise<string> {
    const { filteredBy } = field.type;
    const wanted = filteredBy?.key(text) ?? text;
    return mapMaybe(this.#spellings(type, field), (byKey) => JSON.stringify(byKey.get(wanted) ?? []));
  }

  /** Filters with their elements as stored records spell them. */
  async filters(type: ContentType, filters: readonly FilterTerm[]): Promise<readonly FilterTerm[]> {
    const spelled = filters.map(async (term) =>
      term.by === 'spelled_element' ? { ...term, text: await this.of(type, term.field, term.text) } : term,
    );
    return Promise.all(spelled);
  }

  #spellings(type: ContentType, field: Field): MaybePromise<KnownSpellings['byKey']> {
    const { generations } = this.#context.database;
    return mapMaybe(generations.refresh(), () => {
      const stamp = generations.of(type.singular);
      const known = this.#known.get(field);
      if (known?.stamp === stamp) return known.byKey;
      return mapMaybe(this.#read(type, field), (elements) => {
        const byKey = keyed(elements, field);
        this.#known.set(field, { stamp, byKey });
        return byKey;
      });
    });
  }

  #read({ singular, table }: ContentType, field: Field): MaybePromise<readonly string[]> {
    const { database } = this.#context;
    const { dialect } = database;
    const elements = dialect.jsonTexts(fieldValue(field, 'r'), 'e');
    const statement = sql`select distinct ${column('e', 'value')} as "value" from ${tableAs(table, 'r')}, ${elements}`;
    const rows = database.reader([singular], 'search').rows<{ value: unknown }>(compiledQuery(statement, dialect));
    return mapMaybe(rows, (found) => found.map(({ value }) => String(value)));
  }
}

function keyed(elements: readonly string[], { type }: Field): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map<string, string[]>();
  for (const element of elements) {
    for (const key of new Set(type.filteredBy?.keys(element) ?? [element])) {
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, [element]);
      else same.push(element);
    }
  }
  return byKey;
}
