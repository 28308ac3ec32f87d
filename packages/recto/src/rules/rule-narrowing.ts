import { type RawBuilder, sql } from 'kysely';
import type { Rule } from './rule.ts';
import type { RuleDialect } from './rule-dialect.ts';
import { type ConditionOptions, conditionsOn, hasManyJoins } from './rule-sql.ts';
import {
  type CheckedAny,
  type CheckedComparison,
  type CheckedMembership,
  type CheckedNode,
  type CheckedOperand,
  type Hop,
  isRequestOperand,
  type RecordOperand,
} from './rule-tree.ts';

/**
 * A rule in two parts: that the row leads to, or is reached from, certain rows of another table, and what the rule says
 * besides. The database can begin at those rows.
 */
export interface Narrowing {
  /** The row's own column. */
  readonly column: string;
  /** A SELECT of the values that the column may have. */
  readonly keys: RawBuilder<unknown>;
  /** Tables that the SELECT reads whole, for want of an index. */
  readonly whole: readonly string[];
  /** Where the rows are found that lead to one record; undefined: the path does not begin with a relation that an index keeps so. */
  readonly ends: NarrowingEnds | undefined;
  /** What the rule says besides; undefined: nothing. */
  readonly rest: RawBuilder<boolean> | undefined;
}

/** The records that the first relation has to lead to. For each of them, an index has the ids of the rows that lead to it, in order. */
export interface NarrowingEnds {
  /** A SELECT of their ids, as `key`, each once. */
  readonly keys: RawBuilder<unknown>;
  /** The table with both ids; undefined: the rows' own. */
  readonly table: string | undefined;
  /** Its column with the record's id. */
  readonly key: string;
  /** Its column with the row's id. */
  readonly id: string;
}

/** A `Narrowing` without what the rule says besides. */
type Keys = Omit<Narrowing, 'rest'>;

type Indexed = (type: string, column: string) => boolean;

/**
 * Undefined where no condition that the rule consists of leads through a relation. Also where many do: a statement that finds rows in
 * several ways has all of them several times, and a database reads only so many.
 */
export function narrowingOf(
  rule: Rule,
  alias: string,
  dialect: RuleDialect,
  { bound = new Map(), seen = () => undefined, indexed }: ConditionOptions & { readonly indexed: Indexed },
): Narrowing | undefined {
  if (hasManyJoins(rule.tree)) return undefined;
  const builder = new NarrowingBuilder(alias, dialect, { bound, seen, indexed });
  const terms = rule.tree.node === 'and' ? rule.tree.terms : [rule.tree];
  for (const term of terms) {
    const found = builder.of(term);
    if (found === undefined) continue;
    const others = terms.filter((other) => other !== term);
    const conditions = conditionsOn(alias, dialect, { bound, seen });
    const rest =
      others.length === 0 ? undefined : conditions.node({ node: 'and', terms: others, span: rule.tree.span });
    return { ...found, rest };
  }
  return undefined;
}

type NarrowingOptions = Required<ConditionOptions> & { readonly indexed: Indexed };

type Single = CheckedComparison | CheckedMembership;

/** A condition that follows relations to a row, and what it says of that row. */
interface Followed {
  readonly hops: readonly Hop[];
  readonly last: CheckedNode;
  readonly operand: RecordOperand;
}

class NarrowingBuilder {
  readonly #alias: string;
  readonly #dialect: RuleDialect;
  readonly #options: NarrowingOptions;
  #aliases = 0;

  constructor(alias: string, dialect: RuleDialect, options: NarrowingOptions) {
    this.#alias = alias;
    this.#dialect = dialect;
    this.#options = options;
  }

  of(node: CheckedNode): Keys | undefined {
    const followed = followedBy(node);
    return followed === undefined ? undefined : this.#through(followed);
  }

  #through({ hops, last, operand }: Followed): Keys | undefined {
    const [hop, ...rest] = hops;
    if (hop === undefined) return undefined;
    const row = this.#nextAlias();
    if (hop.to === 'many' && hop.link !== undefined && rest.length === 0 && isPlainId(operand)) {
      if (!isEquality(last)) return undefined;
      const { link } = hop;
      const target = this.#nextAlias();
      const seen = this.#seen(hop.type, target);
      const shown = seen.map((each) => isOneOf(row, link.column, selectFrom(link.table, target, 'id', [each])));
      const where = [this.#conditionsOn(row, link.column).node(last), ...shown];
      const ends = selectFrom(link.table, target, 'id', [this.#conditionsOn(target).node(last), ...seen]);
      return {
        column: 'id',
        keys: selectFrom(hop.table, row, hop.column, where),
        whole: [],
        ends: { keys: ends, table: hop.table, key: link.column, id: hop.column },
      };
    }
    const inner = rest.length === 0 ? undefined : this.#through({ hops: rest, last, operand });
    if (rest.length > 0 && inner === undefined) return undefined;
    const where = [
      inner === undefined ? this.#conditionsOn(row).node(last) : isOneOf(row, inner.column, inner.keys),
      // What the caller may not see leads nowhere.
      ...this.#seen(hop.type, row),
    ];
    const table = hop.to === 'many' && hop.link !== undefined ? hop.link.table : hop.table;
    const whole = inner?.whole ?? (this.#isServed(last, operand, hop.type) ? [] : [table]);
    const ids = selectFrom(table, row, 'id', where);
    if (hop.to === 'one') {
      return { column: hop.column, keys: ids, whole, ends: { keys: ids, table: undefined, key: hop.column, id: 'id' } };
    }
    if (hop.link === undefined) {
      return { column: 'id', keys: selectFrom(table, row, hop.column, where), whole, ends: undefined };
    }
    const link = this.#nextAlias();
    const linked = isOneOf(link, hop.link.column, ids);
    return {
      column: 'id',
      keys: selectFrom(hop.table, link, hop.column, [linked]),
      whole,
      ends: { keys: ids, table: hop.table, key: hop.link.column, id: hop.column },
    };
  }

  #seen(type: string, row: string): readonly RawBuilder<boolean>[] {
    const seen = this.#options.seen(type, row);
    return seen === undefined ? [] : [seen];
  }

  #conditionsOn(row: string, id?: string) {
    return conditionsOn(row, this.#dialect, this.#options, id);
  }

  /** Whether an index finds the rows for which the condition holds. */
  #isServed(last: CheckedNode, operand: RecordOperand, type: string): boolean {
    if (operand.node !== 'column' || operand.lower === true || operand.place.steps.length > 0) return false;
    const isRange = last.node === 'membership' || (last.node === 'comparison' && /^[=<>]/.test(last.operator));
    return isRange && (operand.place.column === 'id' || this.#options.indexed(type, operand.place.column));
  }

  #nextAlias(): string {
    this.#aliases += 1;
    return `${this.#alias}_n${this.#aliases}`;
  }
}

function selectFrom(
  table: string,
  row: string,
  name: string,
  where: readonly RawBuilder<boolean>[],
): RawBuilder<unknown> {
  return sql`select ${sql.id(row, name)} as "key" from ${sql.id(table)} as ${sql.id(row)} where ${sql.join(where, sql` and `)}`;
}

const isOneOf = (row: string, column: string, keys: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`${sql.id(row, column)} in (${keys})`;

/** Undefined for a condition that also holds for some row without a related record, or compares two fields. */
function followedBy(node: CheckedNode): Followed | undefined {
  switch (node.node) {
    case 'and':
    case 'or':
      return undefined;
    case 'any':
      return followedByAny(node);
    case 'comparison':
    case 'membership':
      return followedByOne(node);
  }
}

function followedByAny({ through, item, comparison, span }: CheckedAny): Followed | undefined {
  const operand = comparison[item];
  const other = comparison[item === 'left' ? 'right' : 'left'];
  if (isRequestOperand(operand) || !isRequestOperand(other)) return undefined;
  const isItem = operand.node === 'json_item';
  return { hops: through, operand, last: isItem ? { node: 'any', through: [], item, comparison, span } : comparison };
}

function followedByOne(node: Single): Followed | undefined {
  const operands = node.node === 'membership' ? [node.operand] : [node.left, node.right];
  const [operand, another] = operands.filter((side) => !isRequestOperand(side));
  if (operand === undefined || another !== undefined || (operand.node !== 'column' && operand.node !== 'json_value')) {
    return undefined;
  }
  if (!failsWithoutValue(node)) return undefined;
  const hops = operand.place.steps.map((step): Hop => ({ to: 'one', ...step }));
  const own: CheckedOperand = { ...operand, place: { ...operand.place, steps: [] } };
  const last: Single =
    node.node === 'membership'
      ? { ...node, operand: own }
      : { ...node, ...(node.left === operand ? { left: own } : { right: own }) };
  return { hops, last, operand: own };
}

function failsWithoutValue(node: Single): boolean {
  if (node.node === 'membership') return !node.negated;
  const { operator, left, right } = node;
  if (operator !== '=') return operator !== '!=' && operator !== '!~';
  return [left, right].some((side) => side.node === 'now' || (side.node === 'literal' && side.value !== null));
}

const isPlainId = (operand: RecordOperand): boolean =>
  operand.node === 'column' && operand.place.steps.length === 0 && operand.place.column === 'id';

const isEquality = (node: CheckedNode): boolean => node.node === 'comparison' && node.operator === '=';
