import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import type { CacheStats } from '../base/cache.ts';
import { anonymous, type Caller, type Role } from '../base/caller.ts';
import { foldKey } from '../base/email-address.ts';
import type { Query } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { accountsTable } from '../definition/profile/profile-type.ts';
import { filterExpressionValues } from '../records/plans/filter-condition.ts';
import { Plan, PlanCache, RequestBindings } from '../records/plans/plan.ts';
import { allOf, ValuePlaces } from '../records/plans/sql-parts.ts';
import type { FilterExpression } from '../rules/filter-expression.ts';
import { ruleToSql } from '../rules/rule-sql.ts';

export interface AccountFilter {
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
  readonly tenant?: string | undefined;
  /** The caller's tenant. */
  readonly within?: string | undefined;
  /** Part of an email address or a username, in any case. */
  readonly search?: string | undefined;
  readonly expression?: AccountExpression | undefined;
}

/** `filter=EXPRESSION`, and who sent it. */
export interface AccountExpression {
  readonly filter: FilterExpression;
  readonly caller: Caller;
}

export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

interface AccountListPlan {
  /** Its last values are the limit and the offset. */
  readonly page: Plan;
  readonly total: Plan;
}

/** The statements of lists of accounts, planned once for each shape of filter. */
export class AccountList {
  readonly #dialect: Dialect;
  readonly #plans = new PlanCache();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  get stats(): CacheStats {
    return this.#plans.stats;
  }

  /** A page of the matching accounts in the order of their creation, and their total. */
  statements(filter: AccountFilter, { limit, offset }: Slice): { readonly page: Query; readonly total: Query } {
    const terms = this.#terms(filter);
    const key = terms.map((term) => term.key).join('|');
    const { page, total } = this.#plans.get(key, () => this.#plan(terms));
    const values = terms.flatMap((term) => term.values);
    const bindings = new RequestBindings(filter.expression?.caller ?? anonymous, values);
    return { page: page.bind(bindings.with([...values, limit, offset])), total: total.bind(bindings) };
  }

  #plan(terms: readonly Term[]): AccountListPlan {
    const rows = (places: ValuePlaces): RawBuilder<unknown> =>
      sql`from ${sql.id(accountsTable)} where ${allOf(terms.map((term) => term.condition(places)))}`;
    const places = new ValuePlaces();
    const page = sql`select * ${rows(places)} order by "id" limit ${places.take()} offset ${places.take()}`;
    const total = sql`select count(*) as "total" ${rows(new ValuePlaces())}`;
    return { page: new Plan(page, this.#dialect), total: new Plan(total, this.#dialect) };
  }

  #terms({ role, disabled, tenant, within, search, expression }: AccountFilter): readonly Term[] {
    return [
      ...equal('role', role),
      ...equal('disabled', disabled === undefined ? undefined : this.#dialect.encode('boolean', disabled)),
      ...equal('tenant_id', tenant),
      ...equal('tenant_id', within),
      ...(search === undefined ? [] : [searchTerm(search)]),
      ...(expression === undefined ? [] : [expressionTerm(expression.filter, this.#dialect)]),
    ];
  }
}

/** A condition, with a place for each of its values. */
interface Term {
  /** Equal for terms of one statement. */
  readonly key: string;
  readonly values: readonly SqlValue[];
  condition(places: ValuePlaces): RawBuilder<boolean>;
}

const equal = (name: string, value: SqlValue | undefined): readonly Term[] =>
  value === undefined
    ? []
    : [{ key: name, values: [value], condition: (places) => sql`${sql.id(name)} = ${places.take()}` }];

function searchTerm(search: string): Term {
  const pattern = `%${foldKey(search).replace(/[\\%_]/g, '\\$&')}%`;
  const like = (name: string, places: ValuePlaces) => sql`${sql.id(name)} like ${places.take()} escape '\\'`;
  return {
    key: 'search',
    values: [pattern, pattern],
    condition: (places) => sql`(${like('email_key', places)} or ${like('username_key', places)})`,
  };
}

function expressionTerm(filter: FilterExpression, dialect: Dialect): Term {
  return {
    key: filter.shape,
    values: filterExpressionValues(filter, dialect),
    condition(places) {
      const bound = new Map(filter.literals.map((literal) => [literal, sql`${places.take()}`]));
      return ruleToSql(filter.rule, accountsTable, dialect.rules, { bound });
    },
  };
}
