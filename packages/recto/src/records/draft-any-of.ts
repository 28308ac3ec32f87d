import { type RawBuilder, sql } from 'kysely';
import type { RuleEnvironment, SqlValue } from '../base/bindings.ts';
import type { Transaction } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import type { Rule } from '../rules/rule.ts';
import { type RuleRecord, readOther } from '../rules/rule-evaluator.ts';
import { incomparable, type OperandValue, readPattern } from '../rules/rule-operand.ts';
import { relatedAnyOf } from '../rules/rule-reads.ts';
import { anyOfKnownToSql } from '../rules/rule-sql.ts';
import { type CheckedAny, isRequestOperand, type RequestOperand } from '../rules/rule-tree.ts';
import { Plan } from './plan.ts';
import type { RecordsContext } from './records-context.ts';
import { column, ValuePlaces } from './sql-parts.ts';

/** A record that is not stored yet, as its any-of comparisons need it. */
export interface UnlinkedRecord {
  readonly type: ContentType;
  readonly tenant: string | null;
  /** The ids of the records that a relation of it leads to. */
  ids(field: string): readonly string[];
  /** What its other fields hold. */
  readonly record: RuleRecord;
}

/** The any-of comparisons through relations that hold for the record. Other records are looked at where they are stored. */
export async function anyOfHolding(
  context: RecordsContext,
  transaction: Transaction,
  unlinked: UnlinkedRecord,
  rules: readonly Rule[],
  environment: RuleEnvironment,
): Promise<ReadonlySet<CheckedAny>> {
  const holding = new Set<CheckedAny>();
  for (const rule of rules) {
    for (const [index, node] of relatedAnyOf(rule.tree).entries()) {
      const [first] = node.through;
      const ids = first === undefined ? [] : unlinked.ids(first.field);
      if (ids.length === 0) continue;
      const key = `draft-any|${unlinked.type.singular}|${index}|${rule.source}`;
      const plan = context.plans.get(key, () => anyOfPlan(context, node));
      const values: readonly SqlValue[] = [JSON.stringify(ids), unlinked.tenant];
      const body = bodyFor(node, unlinked.record, environment);
      const { caller, query, now } = environment;
      if ((await transaction.first(plan.bind({ caller, query, now, body, values }))) !== undefined) holding.add(node);
    }
  }
  return holding;
}

/** The field of the bound body that has the value of the new record. */
const ownValue = 'own';

/** One row where the comparison holds. */
function anyOfPlan({ types, database: { dialect } }: RecordsContext, node: CheckedAny): Plan {
  const places = new ValuePlaces();
  // A client would send a value for a JSON parameter as a JSON string.
  const [ids, tenant] = [sql`cast(${places.take()} as text)`, places.take()];
  // Another tenant's record is rejected as if it did not exist, and a rule must not reveal that it does.
  const seen = (singular: string, alias: string): RawBuilder<boolean> | undefined => {
    const { partition } = types.get(singular);
    return partition === null ? undefined : dialect.rules.same(column(alias, partition), tenant);
  };
  const condition = anyOfKnownToSql(withOwnValue(node), ids, dialect.rules, { seen });
  return new Plan(sql`select 1 as "found" where ${condition}`, dialect);
}

const otherSide = ({ item }: CheckedAny) => (item === 'left' ? 'right' : 'left');

/** The comparison, where what it reads of the new record is bound like a value of the request. */
function withOwnValue(node: CheckedAny): CheckedAny {
  const side = otherSide(node);
  const other = node.comparison[side];
  if (isRequestOperand(other)) return node;
  const { kind, span } = other;
  const sent: RequestOperand = { node: 'sent', kind, from: 'body', name: ownValue, span };
  return { ...node, comparison: { ...node.comparison, [side]: sent } };
}

function bodyFor(node: CheckedAny, record: RuleRecord, environment: RuleEnvironment): RuleEnvironment['body'] {
  const side = otherSide(node);
  if (isRequestOperand(node.comparison[side])) return environment.body;
  const { operator } = node.comparison;
  const isPattern = side === 'right' && (operator === '~' || operator === '!~');
  const value = readOther(node, record, environment);
  return { [ownValue]: jsonOf(isPattern ? readPattern(value, false) : value) };
}

/** As a body has the value: a bigint as a text, and an object, which is of no kind, for what compares with nothing. */
function jsonOf(value: OperandValue): unknown {
  if (value === incomparable) return {};
  return typeof value === 'bigint' ? String(value) : value;
}
