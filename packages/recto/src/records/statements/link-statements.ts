import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Query } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { junctionColumns } from '../../definition/content-type.ts';
import { Plan } from '../plans/plan.ts';
import { column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import type { ReadContext } from '../select/read-context.ts';

/** The most links that one statement makes: a power of two. */
const mostLinks = 256;

/** The statements on the rows of junction tables, each planned once. */
export class LinkStatements {
  readonly #context: ReadContext;
  readonly #dialect: Dialect;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#dialect = context.database.dialect;
  }

  /** Rows `id`: what a record is linked to, in order. */
  list(junction: string, id: string): Query {
    const build = () =>
      new Plan(
        sql`select ${sql.id(junctionColumns.target)} as "id" from ${sql.id(junction)}
          where ${sql.id(junctionColumns.source)} = ${new ValuePlaces().take()} order by ${sql.id(junctionColumns.position)}`,
        this.#dialect,
      );
    return this.#context.plans.query(`links|${junction}`, build, [id]);
  }

  /** One row when a record is linked to the id and to nothing else. */
  sole(junction: string, id: string): Query {
    const build = () => {
      const source = (alias: string) => column(alias, junctionColumns.source);
      const target = (alias: string) => column(alias, junctionColumns.target);
      const others = sql`select 1 from ${tableAs(junction, 'o')} where ${source('o')} = ${source('l')} and ${target('o')} <> ${target('l')}`;
      return new Plan(
        sql`select 1 as "found" from ${tableAs(junction, 'l')}
          where ${target('l')} = ${new ValuePlaces().take()} and not exists (${others}) limit 1`,
        this.#dialect,
      );
    };
    return this.#context.plans.query(`solely|${junction}`, build, [id]);
  }

  /** Rows `id`: the records that are linked to one. */
  leadingTo(junction: string, id: string): Query {
    const build = () =>
      new Plan(
        sql`select ${sql.id(junctionColumns.source)} as "id" from ${sql.id(junction)}
          where ${sql.id(junctionColumns.target)} = ${new ValuePlaces().take()}`,
        this.#dialect,
      );
    return this.#context.plans.query(`links-to|${junction}`, build, [id]);
  }

  /** Removes all links of a record. */
  removeAll(junction: string, id: string): Query {
    const build = () =>
      new Plan(
        sql`delete from ${sql.id(junction)} where ${sql.id(junctionColumns.source)} = ${new ValuePlaces().take()}`,
        this.#dialect,
      );
    return this.#context.plans.query(`unlink|${junction}`, build, [id]);
  }

  /** Links a record to others, in this order. */
  insert(junction: string, id: string, targets: readonly string[]): readonly Query[] {
    const statements: Query[] = [];
    for (let start = 0; start < targets.length; ) {
      // Few plans for any number of links: each statement takes a power of two of them.
      const size = Math.min(mostLinks, 2 ** Math.floor(Math.log2(targets.length - start)));
      const rows = targets.slice(start, start + size).map((target, index) => [id, target, start + index]);
      statements.push(this.#insert(junction, size, rows.flat()));
      start += size;
    }
    return statements;
  }

  #insert(junction: string, size: number, values: readonly SqlValue[]): Query {
    const build = () => {
      const places = new ValuePlaces();
      const columns = [junctionColumns.source, junctionColumns.target, junctionColumns.position].map((name) =>
        sql.id(name),
      );
      const rows = Array.from({ length: size }, () => sql`(${sql.join(columns.map(() => places.take()))})`);
      return new Plan(
        sql`insert into ${sql.id(junction)} (${sql.join(columns)}) values ${sql.join(rows)}`,
        this.#dialect,
      );
    };
    return this.#context.plans.query(`link|${junction}|${size}`, build, values);
  }
}
