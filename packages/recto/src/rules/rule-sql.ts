import { type RawBuilder, sql } from 'kysely';
import { Slot } from '../base/bindings.ts';
import type { Rule } from './rule.ts';
import type { RuleDialect } from './rule-dialect.ts';
import { ruleAlternatives } from './rule-equalities.ts';
import {
  decide,
  holds,
  incomparable,
  longestPattern,
  type OperandValue,
  readPattern,
  readRequestOperand,
} from './rule-operand.ts';
import { type KnownIds, RecordSql, type RelatedVisibility } from './rule-record-sql.ts';
import {
  type CheckedAny,
  type CheckedComparison,
  type CheckedMembership,
  type CheckedNode,
  type CheckedOperand,
  isRequestOperand,
  type LikeOperator,
  type RequestOperand,
} from './rule-tree.ts';

type Condition = RawBuilder<boolean>;

/**
 * A rule as a condition on the row called `alias`: true or false, never null. Values are bound, as constants or as `Slot`s.
 * What reads no field is worked out when the statement is bound, so that both paths share one meaning.
 */
export function ruleToSql(rule: Rule, alias: string, dialect: RuleDialect, as: ConditionOptions = {}): Condition {
  return conditionsOn(alias, dialect, as).node(rule.tree);
}

/** What makes conditions on the row `alias`. `id`: the column with the record's id, where the row is a link to it. */
export const conditionsOn = (
  alias: string,
  dialect: RuleDialect,
  { seen, bound = new Map() }: ConditionOptions,
  id?: string,
): RuleSql => new RuleSql(new RecordSql(alias, dialect, seen, id === undefined ? {} : { id }), dialect, bound);

/**
 * An any-of comparison through relations of a record that is not stored: `ids` are those of the records that its first
 * relation leads to, as a JSON array. The other side of the comparison reads no field.
 */
export const anyOfKnownToSql = (
  node: CheckedAny,
  ids: KnownIds,
  dialect: RuleDialect,
  as: ConditionOptions,
): Condition => conditionsOn('t', dialect, as).any(node, ids);

/** How the condition of a caller's filter differs from that of a rule. */
export interface ConditionOptions {
  /** Which related rows the caller may see. A comparison through a row that is hidden is false, whatever its operator. */
  readonly seen?: RelatedVisibility;
  /** The literals that are bound with each request, so that one statement serves all filters of one shape. */
  readonly bound?: ReadonlyMap<CheckedOperand, RawBuilder<unknown>>;
}

/** The terms of the rule that is one condition or another, each as `ruleToSql` makes it: together they are the rule. */
export const alternativesToSql = (rule: Rule, alias: string, dialect: RuleDialect): readonly Condition[] =>
  ruleAlternatives(rule.tree).map((term) => conditionsOn(alias, dialect, {}).node(term));

class RuleSql {
  readonly #dialect: RuleDialect;
  readonly #record: RecordSql;
  readonly #boundLiterals: ReadonlyMap<CheckedOperand, RawBuilder<unknown>>;

  /** The side of an any-of comparison that is read from another record, and that record. */
  readonly #item: { readonly operand: CheckedOperand; readonly record: RecordSql } | undefined;

  constructor(
    record: RecordSql,
    dialect: RuleDialect,
    bound: ReadonlyMap<CheckedOperand, RawBuilder<unknown>>,
    item?: { readonly operand: CheckedOperand; readonly record: RecordSql },
  ) {
    this.#dialect = dialect;
    this.#record = record;
    this.#boundLiterals = bound;
    this.#item = item;
  }

  node(node: CheckedNode, isApart = hasManyJoins(node)): Condition {
    switch (node.node) {
      case 'and':
        return sql`(${sql.join(
          node.terms.map((term) => this.node(term, isApart)),
          sql` and `,
        )})`;
      case 'or':
        return sql`(${sql.join(
          node.terms.map((term) => this.node(term, isApart)),
          sql` or `,
        )})`;
      case 'comparison':
        return apartIf(isApart && joinsIn(node) > 0, this.#seen(node, this.#comparison(node)));
      case 'membership':
        return this.#seen(node, this.#membership(node));
      case 'any':
        return apartIf(isApart, this.any(node));
    }
  }

  /** `ids`: the records that the first relation leads to, where the rule's own record is not stored. */
  any({ through, item, comparison }: CheckedAny, ids?: KnownIds): Condition {
    const operand = comparison[item];
    if (isRequestOperand(operand)) throw new TypeError('The items of an any-of comparison are not in a record.');
    const condition = (record: RecordSql) =>
      new RuleSql(this.#record, this.#dialect, this.#boundLiterals, { operand, record }).node(comparison);
    return this.#record.some(through, operand, condition, ids);
  }

  /** What reads an operand. */
  #of(operand: CheckedOperand): RecordSql {
    return operand === this.#item?.operand ? this.#item.record : this.#record;
  }

  /** The condition, which does not hold where a path of the comparison goes through a hidden row. */
  #seen(node: CheckedComparison | CheckedMembership, condition: Condition): Condition {
    if (failsForNull(node)) return condition;
    const paths =
      node.node === 'membership'
        ? this.#record.pathsSeen([node.operand])
        : [node.left, node.right].flatMap((operand) => this.#of(operand).pathsSeen([operand]));
    return paths.length === 0 ? condition : sql`(${sql.join([condition, ...paths], sql` and `)})`;
  }

  #membership({ operand, items, negated }: CheckedMembership): Condition {
    if (isRequestOperand(operand)) {
      const isOne = (value: OperandValue) => items.some((item) => holds('=', operand.kind, value, item.value));
      return this.#truth(new Slot((request) => (isOne(readRequestOperand(operand, request)) === negated ? 0 : 1)));
    }
    const value = this.#record.value(operand);
    const isOne = sql<boolean>`${value} in (${sql.join(items.map((item) => this.#bound(item)))})`;
    const holdsForOne = this.#record.isOwnColumn(operand)
      ? sql<boolean>`(${isOne} and ${value} is not null)`
      : sql<boolean>`coalesce(${isOne}, false)`;
    return negated ? sql`(not ${holdsForOne})` : holdsForOne;
  }

  #comparison(comparison: CheckedComparison): Condition {
    const { operator, left, right } = comparison;
    if (isRequestOperand(left) && isRequestOperand(right)) return this.#settled(comparison, left, right);
    switch (operator) {
      case '=':
        return this.#equal(left, right);
      case '!=':
        return sql`(not ${this.#equal(left, right)})`;
      case '>':
        return this.#ordered(sql`>`, left, right);
      case '>=':
        return this.#ordered(sql`>=`, left, right);
      case '<':
        return this.#ordered(sql`<`, left, right);
      case '<=':
        return this.#ordered(sql`<=`, left, right);
      case '~':
      case '!~':
        return this.#like(operator, left, right);
    }
  }

  /** A comparison that reads no field: one bound truth value. */
  #settled(comparison: CheckedComparison, left: RequestOperand, right: RequestOperand): Condition {
    return this.#truth(
      new Slot((request) =>
        decide(comparison, readRequestOperand(left, request), readRequestOperand(right, request)) ? 1 : 0,
      ),
    );
  }

  #truth(slot: Slot): Condition {
    return this.#dialect.truth(sql.val(slot));
  }

  #expression(operand: CheckedOperand): RawBuilder<unknown> {
    return isRequestOperand(operand) ? this.#bound(operand) : this.#of(operand).value(operand);
  }

  #bound(operand: RequestOperand): RawBuilder<unknown> {
    const { kind } = operand;
    const bound = this.#boundLiterals.get(operand);
    if (bound !== undefined) return bound;
    const encoded = (value: OperandValue) =>
      value === null || value === incomparable ? null : this.#dialect.encode(kind, value);
    const value =
      operand.node === 'literal'
        ? encoded(operand.value)
        : new Slot((request) => encoded(readRequestOperand(operand, request)));
    return this.#dialect.plannedOnce(sql.val(value));
  }

  #equal(left: CheckedOperand, right: CheckedOperand): Condition {
    if (isRequestOperand(left)) return isRequestOperand(right) ? this.#same(left, right) : this.#equal(right, left);
    if (!isRequestOperand(right)) return this.#same(left, right);
    if (right.node === 'literal' && right.value === null) return sql`(${this.#of(left).value(left)} is null)`;
    if (right.node === 'literal' && this.#of(left).isCondition(left)) {
      const condition = this.#of(left).value(left);
      return right.value === true ? sql`(${condition})` : sql`(not ${condition})`;
    }
    if (neverNull(right) && this.#of(left).isOwnColumn(left)) {
      // An index serves `=` on every database, equality with nulls not everywhere.
      const column = this.#of(left).value(left);
      const comparison = sql`${column} = ${this.#bound(right)}`;
      const isRuleLiteral = right.node === 'literal' && !this.#boundLiterals.has(right);
      return sql`(${isRuleLiteral ? this.#dialect.ofMany(comparison) : comparison} and ${column} is not null)`;
    }
    return this.#same(left, right);
  }

  /** Equality where either side may be null: two nulls are equal, something that is no value of the kind is equal to nothing. */
  #same(left: CheckedOperand, right: CheckedOperand): Condition {
    const conditions = [this.#sameValue(left, right)];
    conditions.push(...this.#isOfKind(left, right), ...this.#isOfKind(right, left));
    for (const side of [left, right]) {
      if (side.node !== 'sent') continue;
      conditions.push(this.#truth(new Slot((request) => (readRequestOperand(side, request) === incomparable ? 0 : 1))));
    }
    return sql`(${sql.join(conditions, sql` and `)})`;
  }

  #sameValue(left: CheckedOperand, right: CheckedOperand): Condition {
    if (isRequestOperand(right) && !isRequestOperand(left) && this.#of(left).isOwnColumn(left)) {
      return this.#dialect.columnIs(this.#of(left).value(left), this.#bound(right));
    }
    return this.#dialect.same(this.#expression(left), this.#expression(right));
  }

  /** That the null which a JSON value gave means that there is nothing, and not a value of another kind. */
  #isOfKind(operand: CheckedOperand, other: CheckedOperand): readonly Condition[] {
    if (neverNull(other)) return [];
    // Null is no item.
    if (operand.node === 'json_item') return [sql`${this.#of(operand).value(operand)} is not null`];
    if (operand.node !== 'json_value') return [];
    const record = this.#of(operand);
    const isset = record.value({ ...operand, node: 'json_isset', kind: 'boolean' });
    return [sql`(${record.value(operand)} is not null or not ${isset})`];
  }

  #ordered(operator: RawBuilder<unknown>, left: CheckedOperand, right: CheckedOperand): Condition {
    const comparison = sql`${this.#expression(left)} ${operator} ${this.#expression(right)}`;
    const present: Condition[] = [];
    for (const side of [left, right]) {
      if (isRequestOperand(side)) {
        if (!neverNull(side)) present.push(this.#isPresent(side));
      } else if (this.#of(side).isOwnColumn(side)) {
        present.push(sql`${this.#of(side).value(side)} is not null`);
      } else if (this.#of(side).mayBeNull(side)) {
        return sql`coalesce(${comparison}, false)`;
      }
    }
    // Conditions that stand beside the comparison leave it to an index, which a function around it would not.
    return sql`(${sql.join([comparison, ...present], sql` and `)})`;
  }

  #isPresent(operand: RequestOperand): Condition {
    return this.#truth(
      new Slot((request) => {
        const value = readRequestOperand(operand, request);
        return value === null || value === incomparable ? 0 : 1;
      }),
    );
  }

  #like(operator: LikeOperator, left: CheckedOperand, right: CheckedOperand): Condition {
    const matches = sql<boolean>`coalesce(${this.#dialect.like(this.#expression(left), this.#pattern(right))}, false)`;
    return operator === '~' ? matches : sql`(not ${matches})`;
  }

  #pattern(operand: CheckedOperand): RawBuilder<unknown> {
    if (operand.node === 'literal') return this.#bound(operand);
    if (isRequestOperand(operand)) {
      return sql.val(
        new Slot((request) => {
          const value = readPattern(readRequestOperand(operand, request), true);
          return typeof value === 'string' ? value : null;
        }),
      );
    }
    const pattern = this.#of(operand).value(operand);
    return sql`case when ${this.#dialect.textLength(pattern)} <= ${sql.lit(longestPattern)} then replace(${pattern}, '\\', '\\\\') end`;
  }
}

/** Of so many conditions that lead to other rows, a database makes joins. Of more, it finds no good order in any time. */
const mostJoins = 4;

/** Whether an operand is at the end of relations, or counts their records. */
const leadsOn = (operand: CheckedOperand): boolean =>
  !isRequestOperand(operand) && ('related' in operand || operand.place.steps.length > 0);

/** The conditions that lead to other rows, or to the items of a value. */
function joinsIn(node: CheckedNode): number {
  switch (node.node) {
    case 'and':
    case 'or':
      return node.terms.reduce((sum, term) => sum + joinsIn(term), 0);
    case 'comparison':
      return Number(leadsOn(node.left) || leadsOn(node.right));
    case 'membership':
      return Number(leadsOn(node.operand));
    case 'any':
      return 1;
  }
}

/** Whether more conditions lead to other rows than a database puts in a good order. */
export const hasManyJoins = (node: CheckedNode): boolean => joinsIn(node) > mostJoins;

/** The same condition in a form that no database makes a join of. */
const apartIf = (isApart: boolean, condition: Condition): Condition =>
  isApart ? sql<boolean>`((${condition}) is true)` : condition;

/** Whether the comparison is false where the end of a path is null, as it is behind a hidden row. */
function failsForNull(node: CheckedComparison | CheckedMembership): boolean {
  if (node.node === 'membership') {
    return !node.negated && (node.operand.node === 'column' || node.operand.node === 'json_value');
  }
  const { operator, left, right } = node;
  const records = [left, right].filter((side) => !isRequestOperand(side));
  if (!records.every(({ node }) => node === 'column' || node === 'json_value')) return false;
  if (operator === '=') return neverNull(left) || neverNull(right);
  return operator !== '!=' && operator !== '!~';
}

/** Whether an operand has a value in every request. */
function neverNull(operand: CheckedOperand): boolean {
  return operand.node === 'now' || (operand.node === 'literal' && operand.value !== null);
}
