import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { Restructuring } from './restructuring.ts';
import type { StoredStructure } from '../storage/stored-structure.ts';

/** A structured field whose definition has changed, and how its values were made before. */
export interface Restructured {
  readonly field: Field;
  readonly before: StoredStructure;
}

type Members = Readonly<Record<string, JsonValue>>;

/** Revisions that are in memory at a time. */
const slice = 100;

/** Gives the values of a structured field in versions of records the names of its definition; what is removed stays there. */
export async function restructureRevisions(
  transaction: Transaction,
  dialect: Dialect,
  { singular }: ContentType,
  { field, before }: Restructured,
): Promise<void> {
  const restructuring = new Restructuring(field, before, { keepsRemoved: true });
  let [record, revision] = ['', 0];
  for (;;) {
    const rows = await transaction.rows<{ record: string; revision: number | bigint; body: string }>(
      compiledQuery(
        sql`select "record", "revision", "body" from "recto_revisions"
          where "type" = ${singular} and ("record" > ${record} or ("record" = ${record} and "revision" > ${revision}))
          order by "record", "revision" limit ${slice}`,
        dialect,
      ),
    );
    for (const row of rows) {
      // The column only ever gets an object.
      const body = withField(JSON.parse(row.body) as Members, field, restructuring);
      if (body === undefined) continue;
      await transaction.run(
        compiledQuery(
          sql`update "recto_revisions" set "body" = ${JSON.stringify(body)}
            where "type" = ${singular} and "record" = ${row.record} and "revision" = ${row.revision}`,
          dialect,
        ),
      );
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    [record, revision] = [last.record, Number(last.revision)];
  }
}

/** The same in the drafts of records, which are to be published as the definition has it. */
export async function restructureDrafts(
  transaction: Transaction,
  dialect: Dialect,
  { table, protocols }: ContentType,
  { field, before }: Restructured,
): Promise<void> {
  const restructuring = new Restructuring(field, before);
  const columns = protocols.flatMap(({ protocol, options }) => protocol.draftColumn?.(options) ?? []);
  for (const column of columns.map((name) => sql.id(name))) {
    const select = sql`select "id", ${column} as "draft" from ${sql.id(table)} where ${column} is not null order by "id"`;
    const rows = await transaction.rows<{ id: string; draft: SqlValue }>(compiledQuery(select, dialect));
    for (const { id, draft } of rows) {
      // The column only ever gets a draft.
      const stored = dialect.decode('json', draft) as { readonly changes: Members; readonly base: Members };
      const changes = withField(stored.changes, field, restructuring);
      const base = withField(stored.base, field, restructuring);
      if (changes === undefined && base === undefined) continue;
      const value = dialect.encode('json', {
        ...stored,
        changes: changes ?? stored.changes,
        base: base ?? stored.base,
      });
      const update = sql`update ${sql.id(table)} set ${column} = ${value} where "id" = ${id}`;
      await transaction.run(compiledQuery(update, dialect));
    }
  }
}

/** Undefined where there is nothing to change. */
function withField(body: Members, { name }: Field, restructuring: Restructuring): Members | undefined {
  const value = body[name] ?? null;
  if (value === null) return undefined;
  const made = restructuring.apply(value);
  return Bun.deepEquals(made, value) ? undefined : { ...body, [name]: made };
}
