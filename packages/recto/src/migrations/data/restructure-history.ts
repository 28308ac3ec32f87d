import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { StoredStructure } from '../storage/stored-structure.ts';
import { changeDrafts } from './change-drafts.ts';
import { Restructuring } from './restructuring.ts';

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
  type: ContentType,
  { field, before }: Restructured,
): Promise<void> {
  const restructuring = new Restructuring(field, before);
  await changeDrafts(transaction, dialect, type, (draft) => {
    const changes = withField(draft.changes, field, restructuring);
    const base = withField(draft.base, field, restructuring);
    if (changes === undefined && base === undefined) return undefined;
    return { changes: changes ?? draft.changes, base: base ?? draft.base };
  });
}

/** Undefined where there is nothing to change. */
function withField(body: Members, { name }: Field, restructuring: Restructuring): Members | undefined {
  const value = body[name] ?? null;
  if (value === null) return undefined;
  const made = restructuring.apply(value);
  return Bun.deepEquals(made, value) ? undefined : { ...body, [name]: made };
}
