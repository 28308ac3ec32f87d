import type { SqlValue } from '../../base/bindings.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { isInverse, isLinked, kindOf } from '../../definition/stored-field.ts';
import { evaluateRule } from '../../rules/rule-evaluator.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { RequestBindings } from '../plans/plan.ts';
import type { RevisionBody } from '../revisions/revision.ts';
import type { RuledRevisions } from '../revisions/revision-reader.ts';
import { RevisionStatements } from '../revisions/revision-statements.ts';
import { decodeRow, RecordStatements } from '../statements/record-statements.ts';
import { draftRecord } from './new-record.ts';
import type { WriteContext } from './write-context.ts';

/**
 * The numbers of a record's versions that a role may read: those for which its rule holds, with the record as it was then. What versions
 * do not keep is as it is now. None but the newest where the rule reads which records refer to this one, or in which languages it has values: that is not known of
 * the past.
 */
export async function ruledRevisions(context: WriteContext, asked: RuledRevisions): Promise<ReadonlySet<number>> {
  const { type, id, caller, rule } = asked;
  const { database } = context;
  const statements = new RecordStatements(context);
  const row = await database.first<Record<string, SqlValue>>(statements.row(type, id));
  const rows = await database.rows<{ revision: number | bigint; body: string }>(
    new RevisionStatements(context).bodies({ type: type.singular, record: id }),
  );
  if (row === undefined) return new Set();
  const isKnown = ![...rule.reads.fields].some((name) => isInverseOf(type, name) || !type.field.has(name));
  if (!isKnown) return new Set(rows.slice(0, 1).map(({ revision }) => Number(revision)));
  const now = decodeRow(type, row, database.dialect);
  const environment = new RequestBindings(caller, []);
  const shown = new Set<number>();
  for (const { revision, body } of rows) {
    // The column only ever gets what `revisionBody` makes.
    const { values, related } = recordOf(type, now, JSON.parse(body) as RevisionBody);
    const draft = { type, values, related, rules: [rule], environment };
    const record = await draftRecord(context, database, statements, draft);
    if (evaluateRule(rule, record, environment)) shown.add(Number(revision));
  }
  return shown;
}

const isInverseOf = ({ field }: ContentType, name: string): boolean => {
  const found = field.get(name);
  return found !== undefined && isInverse(found);
};

/** A version as a stored record, with the ids of its relations to many. */
function recordOf(type: ContentType, now: StoredRecord, body: RevisionBody) {
  const values: Record<string, FieldValue | null> = { ...now };
  const related = new Map<Field, readonly string[]>();
  for (const field of type.facts.versioned) {
    const value = body[field.name];
    if (value === undefined) continue;
    // True because of these a version has the ids.
    if (isLinked(field)) related.set(field, (value ?? []) as readonly string[]);
    else values[field.name] = storedValue(field, value);
  }
  return { values, related };
}

/** A 64-bit integer travels as text. */
const storedValue = (field: Field, value: JsonValue): FieldValue | null =>
  typeof value === 'string' && kindOf(field) === 'bigint' ? BigInt(value) : value;
