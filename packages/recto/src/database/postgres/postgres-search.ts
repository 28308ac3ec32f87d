import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { SearchDialect } from '../dialect.ts';
import { rowColumn, searchTable } from '../schema-dialect.ts';
import { postgresName, quoted } from './postgres-names.ts';

export const wordsColumn = 'words';
export const moreColumn = 'more';

/**
 * A `tsvector` holds less than 1 MiB, and `array_to_tsvector` does not say so
 * (https://www.postgresql.org/docs/current/textsearch-limitations.html).
 */
const longestVector = 900_000;

/** Stands in the vector of a record that has more of them. Words have their field before them: none is like this. */
const mark = '+';

/**
 * Full-text search by `tsvector` with a GIN index. The table holds the words alone, under the record's row number. Each
 * is written behind the name of its field, `title/sugar`, so that one vector answers for any choice of fields; nothing is
 * parsed, stemmed or left out. The words that are too many for one vector stand in `more` of them, which no index serves.
 *
 * Writing reads nothing of the table: transactions that each read what the other writes would be in each other's way.
 */
export const postgresSearch: SearchDialect = {
  index(table, columns, id, words) {
    const [row, vector, others] = [rowColumn, wordsColumn, moreColumn].map(quoted);
    return [
      {
        sql: `INSERT INTO ${quoted(searchTable(table))} (${row}, ${vector}, ${others})
          SELECT ${row}, ${vectorOf('$2')}, ${vectorsOf('$3')}
          FROM ${quoted(table)} WHERE "id" = $1
          ON CONFLICT (${row}) DO UPDATE SET ${vector} = excluded.${vector}, ${others} = excluded.${others}`,
        parameters: [id, ...entry(columns, words)],
      },
    ];
  },

  indexNew(table, columns, records) {
    if (records.length === 0) return [];
    const [row, vector, others] = [rowColumn, wordsColumn, moreColumn].map(quoted);
    const places = records.map(
      (_, place) => `($${3 * place + 1}::bigint, $${3 * place + 2}::text, $${3 * place + 3}::text)`,
    );
    return [
      {
        sql: `INSERT INTO ${quoted(searchTable(table))} (${row}, ${vector}, ${others})
          SELECT "row", ${vectorOf('"words"')}, ${vectorsOf('"more"')}
          FROM (VALUES ${places.join(', ')}) AS "new" ("row", "words", "more")`,
        parameters: records.flatMap((record) => [record.row, ...entry(columns, record.words)]),
      },
    ];
  },

  entry,

  remove(table, id) {
    const row = quoted(rowColumn);
    return [
      {
        sql: `DELETE FROM ${quoted(searchTable(table))} WHERE ${row} = (SELECT ${row} FROM ${quoted(table)} WHERE "id" = $1)`,
        parameters: [id],
      },
    ];
  },

  // The columns are part of what `match` makes.
  matches(table, alias, _columns, query) {
    const { inWords, inAll } = conditions(query, sql`replace(${query}, ',', '&')::tsquery`);
    return sql`${sql.id(alias, rowColumn)} in (select ${sql.id(rowColumn)} from ${vectors(table)} where ${inWords} or ${inAll})`;
  },

  found: (table, alias, query) => joined(table, alias, holds(query)),

  foundInOrder: (table, alias, query) => ({
    // The index would list all that match first: the test is one that it does not serve and that the planner takes to hold for
    // nearly all rows, so that it reads them in order and stops early.
    from: joined(table, alias, sql`case when ${holds(query)} then 1 else 0 end <> 0`),
    row: sql`"found"."found_row"`,
  }),

  matchesMany(table, query) {
    const row = sql.id(rowColumn);
    const [first, last] = [sql`min`, sql`max`].map((end) => sql`(select ${end}(${row}) from ${vectors(table)})`);
    const sampled = sql`generate_series(0, ${sql.lit(sampleRows - 1)}) as "sampled" ("place")
      join ${vectors(table)} on ${row} = ${first} + (${last} - ${first}) * "sampled"."place" / ${sql.lit(sampleRows - 1)}`;
    return sql`(select count(*) from ${sampled} where ${holds(query)}) >= ${sql.lit(manyOfSample)}`;
  },

  foundMatches: (_table, _alias, query) => sql`(${holds(query, 'found')})`,

  match(columns, words, isWhole = false) {
    if (columns.length === 0 || words.length === 0) return nothing;
    return words
      .map((word, index) => {
        const prefix = index === words.length - 1 && !isWhole ? ':*' : '';
        return `(${columns.map((field) => `'${field}/${word}'${prefix}`).join('|')})`;
      })
      .join(',');
  },
};

const vectors = (table: string): RawBuilder<unknown> => sql`${sql.id(postgresName(searchTable(table)))}`;

/** The rows of so many places, evenly spread, are looked at to learn whether many match. */
const sampleRows = 256;

/**
 * From here on, some of the matches are found sooner by looking at one row after the other than by the index, which lists all
 * of them first: four rows are looked at for each match at most.
 */
const manyOfSample = sampleRows / 4;

/** The rows of a table, as `alias`, with the entries that a condition holds for, as `found`. */
const joined = (table: string, alias: string, condition: RawBuilder<boolean>): RawBuilder<unknown> =>
  sql`(${entries(table, condition)}) as "found" join ${sql.id(table)} as ${sql.id(alias)} on ${sql.id(alias, rowColumn)} = "found"."found_row"`;

/** The entries that a condition holds for, with the number of their rows as `found_row`. */
const entries = (table: string, condition: RawBuilder<boolean>): RawBuilder<unknown> =>
  sql`select ${sql.id(rowColumn)} as "found_row", ${sql.id(wordsColumn)}, ${sql.id(moreColumn)} from ${vectors(table)} where ${condition}`;

/** Whether an entry has all words of a bound query, which is read once for the statement and not for each row. */
function holds(query: Expression<unknown>, alias?: string): RawBuilder<boolean> {
  const { inWords, inAll } = conditions(query, sql`(select replace(${query}, ',', '&')::tsquery)`, alias);
  return sql`${inWords} or ${inAll}`;
}

/** Either way in which an entry can have all words of a bound query; the index finds both. */
function conditions(
  query: Expression<unknown>,
  inOne: RawBuilder<unknown>,
  alias?: string,
): Record<'inWords' | 'inAll', RawBuilder<boolean>> {
  const [words, more] = [wordsColumn, moreColumn].map((name) =>
    alias === undefined ? sql.id(name) : sql.id(alias, name),
  );
  const inMore = sql`select 1 from unnest(${more}) as "vector" where "vector" @@ "word"::tsquery`;
  const missing = sql`select 1 from unnest(string_to_array(${query}, ',')) as "word"
    where not (${words} @@ "word"::tsquery or exists (${inMore}))`;
  return {
    inWords: sql`${words} @@ ${inOne}`,
    inAll: sql`${words} @@ ${sql.lit(`'${mark}'`)}::tsquery and not exists (${missing})`,
  };
}

/** The words of the first vector, and those of all others or null. */
function entry(columns: readonly string[], words: readonly string[]): readonly SqlValue[] {
  const [first = [], ...more] = inVectors(columns.flatMap((field, index) => tagged(field, words[index] ?? '')));
  return [
    [...first, ...(more.length > 0 ? [mark] : [])].join(' '),
    more.length > 0 ? more.map((vector) => vector.join(' ')).join(',') : null,
  ];
}

/** The statement that indexes a new row of `from`, which has its `rowColumn`; the places are those of an entry. */
export function insertEntry(
  table: string,
  from: string,
  [words = null, more = null]: readonly (Expression<unknown> | null)[],
): RawBuilder<unknown> {
  const vector = (text: Expression<unknown> | null) => sql`array_to_tsvector(string_to_array(${text}, ' '))`;
  const texts = sql`unnest(string_to_array(${more}, ',')) as "text"`;
  const others = more === null ? sql`null` : sql`(select array_agg(${vector(sql.ref('text'))}) from ${texts})`;
  const columns = sql.join([rowColumn, wordsColumn, moreColumn].map((name) => sql.id(name)));
  return sql`insert into ${sql.id(postgresName(searchTable(table)))} (${columns})
    select ${sql.id(from, rowColumn)}, ${vector(words)}, ${others} from ${sql.id(from)}`;
}

/** Words are of letters, digits and marks, names of small letters, digits, `-` and `_`: none of them is a separator here. */
const nothing = "'-'";

const tagged = (field: string, words: string): readonly string[] =>
  words === '' ? [] : [...new Set(words.split(' '))].map((word) => `${field}/${word}`);

const vectorOf = (words: string): string => `array_to_tsvector(string_to_array(${words}, ' '))`;

/** The vectors of an entry's second part. */
const vectorsOf = (texts: string): string =>
  `(SELECT array_agg(${vectorOf('"text"')}) FROM unnest(string_to_array(${texts}, ',')) AS "text")`;

/** As many words together as a vector can hold. */
function inVectors(words: readonly string[]): readonly (readonly string[])[] {
  const vectors: string[][] = [];
  let room = 0;
  for (const word of words) {
    const bytes = Buffer.byteLength(word) + 1;
    if (bytes > room) {
      vectors.push([]);
      room = longestVector;
    }
    vectors.at(-1)?.push(word);
    room -= bytes;
  }
  return vectors;
}
