import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type ContentType, type Field, junctionColumns } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import { decodeRow } from '../../records/record-statements.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** Records in memory at a time. */
const page = 200;

type WholeRecord = Readonly<Record<string, JsonValue>>;

/** How many records a type has. */
export async function countRecords(reader: Executor, dialect: Dialect, type: ContentType): Promise<number> {
  const row = await reader.first<{ total: unknown }>(
    compiledQuery(sql`select count(*) as "total" from ${sql.id(type.table)}`, dialect),
  );
  return Number(row?.total ?? 0);
}

/**
 * All records of a type in the order of their ids, a page at a time, each with everything that is stored of it in the order
 * of the type's fields: private fields, what the service keeps, hashes, and relations as ids.
 */
export async function* recordPages(
  reader: Executor,
  dialect: Dialect,
  type: ContentType,
): AsyncGenerator<readonly WholeRecord[]> {
  const relations = type.fields.filter(({ place }) => place.shape === 'to_many');
  for (let after = ''; ; ) {
    const rows = await reader.rows<Record<string, SqlValue>>(
      compiledQuery(
        sql`select * from ${sql.id(type.table)} where ${sql.id('id')} > ${after} order by ${sql.id('id')} limit ${page}`,
        dialect,
      ),
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    const range = { after, last: String(last.id) };
    const related = new Map<string, ReadonlyMap<string, readonly string[]>>();
    for (const field of relations) related.set(field.name, await relatedIds(reader, dialect, field, range));
    yield rows.map((row) => wholeRecord(type, decodeRow(type, row, dialect), related));
    after = range.last;
  }
}

/** The ids that a relation to many leads to, by the id of the record that it leads from. */
async function relatedIds(
  reader: Executor,
  dialect: Dialect,
  { place }: Field,
  range: { readonly after: string; readonly last: string },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const related = new Map<string, string[]>();
  if (place.shape !== 'to_many') return related;
  const [source, target, position] = [junctionColumns.source, junctionColumns.target, junctionColumns.position].map(
    (name) => sql.id(name),
  );
  const rows = await reader.rows<{ source: string; target: string }>(
    compiledQuery(
      sql`select ${source} as "source", ${target} as "target" from ${sql.id(place.junction)}
        where ${source} > ${range.after} and ${source} <= ${range.last} order by ${source}, ${position}, ${target}`,
      dialect,
    ),
  );
  for (const row of rows) {
    const ids = related.get(row.source) ?? [];
    ids.push(row.target);
    related.set(row.source, ids);
  }
  return related;
}

function wholeRecord(
  type: ContentType,
  values: Readonly<Record<string, FieldValue | null>>,
  related: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>,
): WholeRecord {
  const record: Record<string, JsonValue> = {};
  for (const { name, place } of type.fields) {
    if (place.shape === 'mirror') continue;
    if (place.shape === 'to_many') record[name] = related.get(name)?.get(String(values.id)) ?? [];
    else record[name] = jsonOf(values[name] ?? null);
  }
  return record;
}

const jsonOf = (value: FieldValue | null): JsonValue => (typeof value === 'bigint' ? String(value) : value);
