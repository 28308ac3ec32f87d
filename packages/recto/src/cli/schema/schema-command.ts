import { sql } from 'kysely';
import { countOf } from '../../base/count-of.ts';
import { FatalError } from '../../base/fatal-error.ts';
import type { Terminal } from '../../base/terminal.ts';
import { readSettings, settingsFileName } from '../../config/settings.ts';
import { definitionText } from '../../content-types/definition-text.ts';
import { type TypeSource, typeEntry } from '../../content-types/type-entry.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { loadServed, readDatabase } from '../../service/served-types.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { type AnswerOptions, answer } from '../answer.ts';
import { textTable } from '../text-table.ts';

/** `recto schema list`: all types that a start would serve. All functions here resolve with the exit code. */
export const listSchema = (terminal: Terminal, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const { all, stored, count } = await look(terminal);
    const types = await Promise.all(
      all.map(async (type) => {
        const { definition: _, ...entry } = typeEntry(type, stored.get(type.singular));
        return { ...entry, table: type.table, records: await count(type) };
      }),
    );
    const rows = types.map(({ singular, plural, kind, source, file, table, records }) => [
      ...[singular, plural, kind, file ?? sourceWords[source], table, records === null ? '–' : String(records)],
    ]);
    const table = textTable([['TYPE', 'PLURAL', 'KIND', 'FROM', 'TABLE', 'RECORDS'], ...rows]);
    return { text: `${table}\n${countOf(types.length, 'content type')}.\n`, json: { types } };
  });

const sourceWords = { api: 'the API', file: 'a file', built_in: 'built in' } as const satisfies Record<
  TypeSource,
  string
>;

/** `recto schema show`: one definition as file text. */
export const showSchema = (terminal: Terminal, singular: string, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const { all, stored, count } = await look(terminal);
    const type = all.find((each) => each.singular === singular);
    if (type === undefined) throw noSuchTypes([singular], all);
    const entry = typeEntry(type, stored.get(singular));
    const records = await count(type);
    // True because a definition that was checked is plain JSON.
    const { format, text } = definitionText(type.definition as JsonValue, 'toml');
    const from = type.stored ? `created through the API, revision ${entry.revision}` : `from ${type.source}`;
    const facts = [from, `table ${type.table}`, ...(records === null ? [] : [countOf(records, 'record')])].join(', ');
    // JSON has no comments.
    const head = format === 'toml' ? `# ${facts}\n` : '';
    return { text: `${head}${text}`, json: { type: { ...entry, table: type.table, records } } };
  });

export function noSuchTypes(names: readonly string[], all: readonly ContentType[]): FatalError {
  const there = all.map(({ singular }) => singular).join(', ');
  const named = names.map((name) => `"${name}"`).join(', ');
  return new FatalError(`There is no content type ${named}. There are: ${there}.`);
}

/** All types, and how to count their records: null where the first start has not created their tables yet. */
async function look(terminal: Terminal) {
  const settings = readSettings(terminal.environment, settingsFileName);
  const { types, stored } = await loadServed(settings);
  const count = async ({ table }: ContentType): Promise<number | null> =>
    (await readDatabase(settings, async (reader, dialect) => {
      if ((await reader.rows(dialect.schema.columns(table))).length === 0) return null;
      const query = compiledQuery(sql`select count(*) as "records" from ${sql.id(table)}`, dialect);
      return Number((await reader.first<{ records: unknown }>(query))?.records);
    })) ?? null;
  const all = types.all.toSorted((a, b) => (a.singular < b.singular ? -1 : 1));
  return { all, stored: new Map(stored.map((each) => [each.singular, each])), count };
}
