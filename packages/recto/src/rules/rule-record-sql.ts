import { type RawBuilder, sql } from 'kysely';
import type { RuleDialect } from './rule-dialect.ts';
import {
  type CheckedOperand,
  type Hop,
  isRequestOperand,
  type Place,
  type RecordOperand,
  type RelatedRows,
  type RelationStep,
} from './rule-tree.ts';

/** Which rows of related types count, as a condition on the row `alias` of the type; undefined: all. */
export type RelatedVisibility = (type: string, alias: string) => RawBuilder<boolean> | undefined;

type Build = (alias: string) => RawBuilder<unknown>;

const tableAs = (table: string, alias: string): RawBuilder<unknown> => sql`${sql.id(table)} as ${sql.id(alias)}`;

/** The value of a field in the row `alias`. Rules and filters read fields through this function. */
const storedValue = (alias: string, { column }: Place): RawBuilder<unknown> => sql.id(alias, column);

/** Where a rule's values are, if not all in the columns of one row. */
export interface RecordSource {
  /** The column that holds the record's id, where the row is a link to it. */
  readonly id?: string;
  /** The value of a `json_item`. */
  readonly item?: RawBuilder<unknown>;
}

/** Which records the first hop leads to, where the row that it starts from is not stored: ids as the items of a JSON array. */
export type KnownIds = RawBuilder<unknown>;

/** What a rule reads from a row, as SQL. Relations become scalar subqueries, whose aliases begin with the row's own. */
export class RecordSql {
  readonly #alias: string;
  readonly #dialect: RuleDialect;
  readonly #seen: RelatedVisibility;
  readonly #source: RecordSource;
  #aliases = 0;

  constructor(
    alias: string,
    dialect: RuleDialect,
    seen: RelatedVisibility = () => undefined,
    source: RecordSource = {},
  ) {
    this.#alias = alias;
    this.#dialect = dialect;
    this.#seen = seen;
    this.#source = source;
  }

  value(operand: RecordOperand): RawBuilder<unknown> {
    const dialect = this.#dialect;
    switch (operand.node) {
      case 'column':
        return this.#reach(operand.place.steps, (alias) => this.#lower(operand, this.#column(alias, operand.place)));
      case 'json_value': {
        const { place, path, kind } = operand;
        return this.#reach(place.steps, (alias) =>
          this.#lower(operand, dialect.jsonScalar(storedValue(alias, place), path, kind)),
        );
      }
      case 'json_item': {
        const { item } = this.#source;
        if (item === undefined) throw new TypeError('An item of JSON is read only in an any-of comparison.');
        return this.#lower(operand, item);
      }
      case 'text_length': {
        const { place } = operand;
        return sql`coalesce(${this.#reach(place.steps, (alias) => dialect.textLength(storedValue(alias, place)))}, 0)`;
      }
      case 'json_length': {
        const { place, path } = operand;
        return this.#total(place.steps, sql`0`, (alias) => dialect.jsonLength(storedValue(alias, place), path));
      }
      case 'related_count':
        return this.#total(operand.related.steps, sql`0`, (alias) => {
          return sql`(select count(*) from ${this.#rows(operand.related, alias)})`;
        });
      case 'column_isset':
        return sql`(${this.#reach(operand.place.steps, (alias) => storedValue(alias, operand.place))} is not null)`;
      case 'json_isset': {
        const { place, path } = operand;
        return this.#total(place.steps, sql`false`, (alias) => dialect.jsonIsSet(storedValue(alias, place), path));
      }
      case 'related_isset':
        return this.#total(operand.related.steps, sql`false`, (alias) => {
          return sql`exists (select 1 from ${this.#rows(operand.related, alias)})`;
        });
    }
  }

  #column(alias: string, place: Place): RawBuilder<unknown> {
    const { id } = this.#source;
    const isLinked = place.column === 'id' && id !== undefined && alias === this.#alias;
    return isLinked ? sql.id(alias, id) : storedValue(alias, place);
  }

  /**
   * Whether the condition holds for any record that the hops lead to, and any item of its JSON where the operand reads those.
   * `ids`: the records that the first hop leads to.
   */
  some(
    hops: readonly Hop[],
    operand: RecordOperand,
    condition: (record: RecordSql) => RawBuilder<boolean>,
    ids?: KnownIds,
  ): RawBuilder<boolean> {
    const rows = new HopRows(this.#dialect, this.#seen, () => this.#nextAlias());
    let end: RowPlace = { alias: this.#alias, id: 'id' };
    for (const [index, hop] of hops.entries()) {
      const next = hops[index + 1];
      const isRowRead = next === undefined ? !isPlainId(operand) : next.to === 'one';
      end = ids !== undefined && index === 0 ? rows.known(hop, ids, isRowRead) : rows.after(hop, end, isRowRead);
    }
    let source: RecordSource = end.id === 'id' ? {} : { id: end.id };
    if (operand.node === 'json_item') {
      const { place, path, kind } = operand;
      const items = this.#dialect.jsonItems(storedValue(end.alias, place), path, this.#nextAlias());
      rows.add(items.rows, items.condition);
      source = { ...source, item: items.value(kind) };
    }
    return rows.exists(condition(new RecordSql(end.alias, this.#dialect, this.#seen, source)));
  }

  #lower({ lower }: { readonly lower?: true }, text: RawBuilder<unknown>): RawBuilder<unknown> {
    return lower === true ? this.#dialect.lower(text) : text;
  }

  /** Whether the value is a column of the row itself, which an index can serve. */
  isOwnColumn(operand: RecordOperand): boolean {
    return operand.node === 'column' && operand.place.steps.length === 0 && operand.lower !== true;
  }

  /** Whether the value is a condition by itself, never null. */
  isCondition(operand: RecordOperand): boolean {
    return operand.node === 'column_isset' || operand.node === 'json_isset' || operand.node === 'related_isset';
  }

  mayBeNull(operand: RecordOperand): boolean {
    return operand.node === 'column' || operand.node === 'json_value' || operand.node === 'json_item';
  }

  /** The value at the end of the relations; null where one of them leads nowhere. */
  #reach(steps: readonly RelationStep[], build: Build): RawBuilder<unknown> {
    return this.#reachFrom(this.#alias, steps, build);
  }

  #reachFrom(from: string, [step, ...rest]: readonly RelationStep[], build: Build): RawBuilder<unknown> {
    if (step === undefined) return build(from);
    const alias = this.#nextAlias();
    const value = this.#reachFrom(alias, rest, build);
    const here = sql`${sql.id(step.table)} as ${sql.id(alias)}`;
    const conditions = [sql`${sql.id(alias, 'id')} = ${sql.id(from, step.column)}`, ...this.#seenRow(step.type, alias)];
    return sql`(select ${value} from ${here} where ${sql.join(conditions, sql` and `)})`;
  }

  #seenRow(type: string, alias: string): readonly RawBuilder<boolean>[] {
    const seen = this.#seen(type, alias);
    return seen === undefined ? [] : [seen];
  }

  /** For each path of the operands that may lead through a hidden row: that it does not. An empty relation hides nothing. */
  pathsSeen(operands: readonly CheckedOperand[]): readonly RawBuilder<boolean>[] {
    const paths = new Map<string, readonly RelationStep[]>();
    for (const operand of operands) {
      if (isRequestOperand(operand)) continue;
      const { steps } = 'related' in operand ? operand.related : operand.place;
      paths.set(steps.map(({ field }) => field).join('.'), steps);
    }
    return [...paths.values()].flatMap((steps) => this.#pathSeen(this.#alias, steps) ?? []);
  }

  #pathSeen(from: string, [step, ...rest]: readonly RelationStep[]): RawBuilder<boolean> | undefined {
    if (step === undefined) return undefined;
    const alias = this.#nextAlias();
    const own = this.#seenRow(step.type, alias);
    const further = this.#pathSeen(alias, rest);
    const conditions = further === undefined ? own : [...own, further];
    if (conditions.length === 0) return undefined;
    const leads = sql`${sql.id(alias, 'id')} = ${sql.id(from, step.column)}`;
    const here = sql`${sql.id(step.table)} as ${sql.id(alias)}`;
    return sql`(${sql.id(from, step.column)} is null or exists (select 1 from ${here} where ${sql.join([leads, ...conditions], sql` and `)}))`;
  }

  /** As `#reach`, for a value that is never null at its own row. */
  #total(steps: readonly RelationStep[], otherwise: RawBuilder<unknown>, build: Build): RawBuilder<unknown> {
    const value = this.#reach(steps, build);
    return steps.length === 0 ? value : sql`coalesce(${value}, ${otherwise})`;
  }

  #rows(related: RelatedRows, owner: string): RawBuilder<unknown> {
    const alias = this.#nextAlias();
    const here = sql`${sql.id(related.table)} as ${sql.id(alias)}`;
    const leads = sql`${sql.id(alias, related.column)} = ${sql.id(owner, 'id')}`;
    if (related.link === undefined) {
      return sql`${here} where ${sql.join([leads, ...this.#seenRow(related.type, alias)], sql` and `)}`;
    }
    const target = this.#nextAlias();
    const seen = this.#seenRow(related.type, target);
    if (seen.length === 0) return sql`${here} where ${leads}`;
    const links = sql`${sql.id(target, 'id')} = ${sql.id(alias, related.link.column)}`;
    const both = sql`${here}, ${sql.id(related.link.table)} as ${sql.id(target)}`;
    return sql`${both} where ${sql.join([leads, links, ...seen], sql` and `)}`;
  }

  #nextAlias(): string {
    this.#aliases += 1;
    return `${this.#alias}_r${this.#aliases}`;
  }
}

/** A row on the way: its alias, and the column there that holds the record's id. */
interface RowPlace {
  readonly alias: string;
  readonly id: string;
}

const isPlainId = (operand: RecordOperand): boolean =>
  operand.node === 'column' && operand.place.steps.length === 0 && operand.place.column === 'id';

/** The FROM and WHERE that follow relations from row to row. What a caller may not see of them leads nowhere. */
class HopRows {
  readonly #dialect: RuleDialect;
  readonly #seen: RelatedVisibility;
  readonly #nextAlias: () => string;
  readonly #tables: RawBuilder<unknown>[] = [];
  readonly #conditions: RawBuilder<unknown>[] = [];

  constructor(dialect: RuleDialect, seen: RelatedVisibility, nextAlias: () => string) {
    this.#dialect = dialect;
    this.#seen = seen;
    this.#nextAlias = nextAlias;
  }

  add(rows: RawBuilder<unknown>, condition: RawBuilder<unknown>): void {
    this.#tables.push(rows);
    this.#conditions.push(condition);
  }

  /** The records that the hop leads to from the row `from`. `isRowRead`: more of them is read than their ids. */
  after(hop: Hop, from: RowPlace, isRowRead: boolean): RowPlace {
    const alias = this.#nextAlias();
    if (hop.to === 'one') {
      this.add(tableAs(hop.table, alias), sql`${sql.id(alias, 'id')} = ${sql.id(from.alias, hop.column)}`);
      return this.#shown(hop.type, alias);
    }
    this.add(tableAs(hop.table, alias), sql`${sql.id(alias, hop.column)} = ${sql.id(from.alias, from.id)}`);
    const { link } = hop;
    return link === undefined
      ? this.#shown(hop.type, alias)
      : this.#linked(hop, sql.id(alias, link.column), { alias, id: link.column }, isRowRead);
  }

  /** As `after`, for the records of those ids. */
  known(hop: Hop, ids: KnownIds, isRowRead: boolean): RowPlace {
    const items = this.#dialect.jsonItems(ids, [], this.#nextAlias());
    this.add(items.rows, items.condition);
    return this.#linked(hop, items.value('text'), undefined, isRowRead);
  }

  /** The record of an id that `link` holds, where more is needed than that. */
  #linked(hop: Hop, id: RawBuilder<unknown>, link: RowPlace | undefined, isRowRead: boolean): RowPlace {
    const alias = this.#nextAlias();
    if (link !== undefined && !isRowRead && this.#seen(hop.type, alias) === undefined) return link;
    const table = hop.to === 'many' && hop.link !== undefined ? hop.link.table : hop.table;
    this.add(tableAs(table, alias), sql`${sql.id(alias, 'id')} = ${id}`);
    return this.#shown(hop.type, alias);
  }

  #shown(type: string, alias: string): RowPlace {
    const seen = this.#seen(type, alias);
    if (seen !== undefined) this.#conditions.push(seen);
    return { alias, id: 'id' };
  }

  exists(condition: RawBuilder<boolean>): RawBuilder<boolean> {
    const all = sql.join([...this.#conditions, condition], sql` and `);
    return sql`exists (select 1 from ${sql.join(this.#tables)} where ${all})`;
  }
}
