import type { Transaction } from '../database/database.ts';
import type { ContentType, Field } from '../definition/content-type.ts';
import type { FieldValue } from '../definition/field-type.ts';
import type { StoredRecord } from '../definition/protocol.ts';
import type { Rule } from '../rules/rule.ts';
import { type RuleRecord, relationsRead } from '../rules/rule-evaluator.ts';
import { decodeRow, type RecordStatements } from './record-statements.ts';
import type { RecordsContext } from './records-context.ts';

/** A record that is not stored yet, as rules read it. */
class DraftRecord implements RuleRecord {
  readonly #values: StoredRecord;
  readonly #counts: ReadonlyMap<string, number>;
  readonly #related: ReadonlyMap<string, DraftRecord>;

  constructor(values: StoredRecord, counts: ReadonlyMap<string, number>, related: ReadonlyMap<string, DraftRecord>) {
    this.#values = values;
    this.#counts = counts;
    this.#related = related;
  }

  get(field: string): FieldValue | null {
    return this.#values[field] ?? null;
  }

  related(field: string): RuleRecord | null {
    return this.#related.get(field) ?? null;
  }

  count(field: string): number {
    return this.#counts.get(field) ?? 0;
  }
}

/** The new record with those related records loaded that the rules look into. */
export async function draftRecord(
  context: RecordsContext,
  transaction: Transaction,
  statements: RecordStatements,
  draft: {
    readonly type: ContentType;
    readonly values: StoredRecord;
    readonly related: ReadonlyMap<Field, readonly string[]>;
    readonly rules: readonly Rule[];
  },
): Promise<RuleRecord> {
  const paths = draft.rules.flatMap((rule) => relationsRead(rule));
  const counts = new Map([...draft.related].map(([field, ids]) => [field.name, ids.length]));

  const load = async (type: ContentType, values: StoredRecord, own: readonly (readonly string[])[]) => {
    const related = new Map<string, DraftRecord>();
    for (const [name, rest] of byHead(own)) {
      const place = type.field.get(name)?.place;
      const id = values[name];
      if (place?.shape !== 'to_one' || typeof id !== 'string') continue;
      const target = context.types.get(place.target);
      const row = await transaction.first<Record<string, string | number | bigint | null>>(statements.row(target, id));
      if (row === undefined) continue;
      related.set(name, await load(target, decodeRow(target, row, context.database.dialect), rest));
    }
    return new DraftRecord(values, type === draft.type ? counts : new Map(), related);
  };
  return load(draft.type, draft.values, paths);
}

/** Paths by their first name, with what follows it. */
function byHead(paths: readonly (readonly string[])[]): ReadonlyMap<string, (readonly string[])[]> {
  const heads = new Map<string, (readonly string[])[]>();
  for (const [head, ...rest] of paths) {
    if (head === undefined) continue;
    const tails = heads.get(head) ?? [];
    if (rest.length > 0) tails.push(rest);
    heads.set(head, tails);
  }
  return heads;
}
