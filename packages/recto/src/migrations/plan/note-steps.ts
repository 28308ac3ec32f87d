import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { TypeRenames } from './rename-plan.ts';
import { type SchemaStep, statementStep } from './schema-steps.ts';
import type { TypePlan } from './type-plan.ts';

const notes = sql.table('recto_notes');
const items = sql.table('recto_release_items');
const previews = sql.table('recto_previews');
const notifications = sql.table('recto_notifications');
const followed = sql.table('recto_followed_records');

/** A row of `recto_release_items`: JSON, and null where an item has none. */
type HeldRow = Readonly<Record<'id' | 'changes' | 'base', string> & Record<'kept' | 'made', string | null>>;

/** The values that items of releases hold of renamed fields take the new names. A release has few items. */
function heldStep(singular: string, renamed: TypePlan['renamed'], dialect: Dialect): readonly SchemaStep[] {
  const names = new Map(renamed.map(({ from, to }) => [from, to]));
  if (names.size === 0) return [];
  const named = (values: unknown): unknown =>
    values instanceof Object
      ? Object.fromEntries(Object.entries(values).map(([name, value]) => [names.get(name) ?? name, value]))
      : values;
  // Beside values there are words of the service: `{"values": {…}, "creates": true}`, `{"kind": "updated", "before": {…}, "after": {…}}`.
  const inside = (text: string | null): string | null => {
    const held: unknown = JSON.parse(text ?? 'null');
    if (!(held instanceof Object)) return text;
    return JSON.stringify(Object.fromEntries(Object.entries(held).map(([word, values]) => [word, named(values)])));
  };
  return [
    {
      sql: `-- what releases hold of the fields of "${singular}" takes their new names`,
      run: async (transaction) => {
        const select = sql`select "id", "changes", "base", "kept", "made" from ${items} where "type" = ${singular}`;
        for (const row of await transaction.rows<HeldRow>(compiledQuery(select, dialect))) {
          const [changes, base] = [row.changes, row.base].map((text) => JSON.stringify(named(JSON.parse(text))));
          const update = sql`update ${items} set "changes" = ${changes}, "base" = ${base}, "kept" = ${inside(row.kept)},
            "made" = ${inside(row.made)} where "id" = ${row.id}`;
          await transaction.run(compiledQuery(update, dialect));
        }
      },
    },
  ];
}

/** What follows for the notes on records, the items of releases and notifications, which are kept by the names of types and fields. */
export function noteSteps(
  plans: readonly TypePlan[],
  { former }: TypeRenames,
  removed: ReadonlySet<string>,
  dialect: Dialect,
): readonly SchemaStep[] {
  const step = (statement: ReturnType<typeof sql>) => statementStep(compiledQuery(statement, dialect));
  return [
    ...[...removed].flatMap((type) =>
      [notes, notifications, followed].map((table) => step(sql`delete from ${table} where "type" = ${type}`)),
    ),
    ...[...former].flatMap(([type, from]) =>
      [notes, items, previews, notifications, followed].map((table) =>
        step(sql`update ${table} set "type" = ${type} where "type" = ${from}`),
      ),
    ),
    ...plans.flatMap(({ type: { singular }, renamed }) => heldStep(singular, renamed, dialect)),
    // Those on what is inside a field, such as `seo.title` and `body[2].title`, too.
    ...plans.flatMap(({ type: { singular }, renamed }) =>
      renamed.map(({ from, to }) => {
        const rest = sql`substr("field", ${sql.lit(from.length + 1)})`;
        const begin = sql`substr("field", 1, ${sql.lit(from.length + 1)})`;
        const isFrom = sql`("field" = ${from} or ${begin} = ${`${from}.`} or ${begin} = ${`${from}[`})`;
        return step(sql`update ${notes} set "field" = ${to} || ${rest} where "type" = ${singular} and ${isFrom}`);
      }),
    ),
  ];
}
