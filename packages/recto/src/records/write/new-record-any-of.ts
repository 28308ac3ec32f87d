import { type RawBuilder, sql } from 'kysely';
import type { RuleEnvironment, SqlValue } from '../../base/bindings.ts';
import type { Executor } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { Rule } from '../../rules/rule.ts';
import { holdsForItems, type RuleRecord, readOther } from '../../rules/rule-evaluator.ts';
import { incomparable, type OperandValue, readPattern } from '../../rules/rule-operand.ts';
import { relatedAnyOf } from '../../rules/rule-reads.ts';
import { anyOfKnownToSql } from '../../rules/rule-sql.ts';
import { type CheckedAny, type Hop, isRequestOperand, type RequestOperand, type Span } from '../../rules/rule-tree.ts';
import { Plan } from '../plans/plan.ts';
import { column, ValuePlaces } from '../plans/sql-parts.ts';
import type { WriteContext } from './write-context.ts';

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
  context: WriteContext,
  executor: Pick<Executor, 'first'>,
  unlinked: UnlinkedRecord,
  rules: readonly Rule[],
  environment: RuleEnvironment,
): Promise<ReadonlySet<CheckedAny>> {
  const asked = { context, executor, unlinked, environment };
  const holding = new Set<CheckedAny>();
  for (const rule of rules) {
    for (const [index, node] of relatedAnyOf(rule.tree).entries()) {
      const key = `draft-any|${unlinked.type.singular}|${index}|${rule.source}`;
      if (await holdsFor(asked, node, key)) holding.add(node);
    }
  }
  return holding;
}

interface Asked {
  readonly context: WriteContext;
  readonly executor: Pick<Executor, 'first'>;
  readonly unlinked: UnlinkedRecord;
  readonly environment: RuleEnvironment;
}

/** `key` is that of the comparison among plans. */
async function holdsFor(asked: Asked, node: CheckedAny, key: string): Promise<boolean> {
  const body = bodyFor(node, asked.unlinked.record, asked.environment);
  return (await isStored(asked, node, key, body)) || (await holdsForItself(asked, node, key));
}

/** Whether the comparison holds for a stored record. */
async function isStored(
  { context, executor, unlinked, environment }: Asked,
  node: CheckedAny,
  key: string,
  body: RuleEnvironment['body'],
): Promise<boolean> {
  const [first] = node.through;
  const ids = first === undefined ? [] : unlinked.ids(first.field);
  if (ids.length === 0) return false;
  const plan = context.plans.get(key, () => anyOfPlan(context, node));
  const values: readonly SqlValue[] = [JSON.stringify(ids), unlinked.tenant];
  const { caller, query, now } = environment;
  return (await executor.first(plan.bind({ caller, query, now, body, values }))) !== undefined;
}

/** Whether a relation to many has the type's own records, which refer to its owner. */
export const isInverseOf = (hop: Hop | undefined, { singular }: ContentType): boolean =>
  hop?.to === 'many' && hop.link === undefined && hop.type === singular;

/** Whether the comparison holds for the new record itself, or what it leads to: as it would be stored, those that it refers to lead back. */
async function holdsForItself(asked: Asked, node: CheckedAny, key: string): Promise<boolean> {
  const { unlinked, environment } = asked;
  const { type, record } = unlinked;
  for (const [index, hop] of node.through.entries()) {
    const [owner] = index > 0 && isInverseOf(hop, type) ? unlinked.ids(hop.column) : [];
    if (owner === undefined) continue;
    const before = leadingTo(node.through.slice(0, index), node.span);
    if (!(await isStored(asked, before, `${key}|before ${index}`, { [ownValue]: owner }))) continue;
    const after: CheckedAny = { ...node, through: node.through.slice(index + 1) };
    const holds =
      after.through.length === 0
        ? holdsForItems(after, readOther(after, record, environment), record)
        : await holdsFor(asked, after, `${key}|after ${index}`);
    if (holds) return true;
  }
  return false;
}

/** Whether the relations lead to the record whose id is bound. */
function leadingTo(through: readonly Hop[], span: Span): CheckedAny {
  const id = { node: 'column', kind: 'text', place: { steps: [], field: 'id', column: 'id' }, span } as const;
  const bound: RequestOperand = { node: 'sent', kind: 'text', from: 'body', name: ownValue, span };
  return {
    node: 'any',
    through,
    item: 'left',
    comparison: { node: 'comparison', operator: '=', left: id, right: bound, span },
    span,
  };
}

/** The field of the bound body that has the value of the new record. */
const ownValue = 'own';

/** One row where the comparison holds. */
function anyOfPlan({ types, database: { dialect } }: WriteContext, node: CheckedAny): Plan {
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
