import type { RawBuilder } from 'kysely';
import { type Bindings, Slot, type SqlValue } from '../../base/bindings.ts';
import type { Query } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';

/** A compiled statement whose open places are filled from the request. Made once for a shape of request, run many times. */
export class Plan {
  readonly sql: string;
  readonly #parameters: readonly (SqlValue | Slot)[];

  constructor(statement: RawBuilder<unknown>, dialect: Dialect) {
    const compiled = statement.compile(dialect.builder);
    this.sql = compiled.sql;
    this.#parameters = compiled.parameters.map(checkParameter);
  }

  bind(bindings: Bindings): Query {
    const parameters = new Array<SqlValue>(this.#parameters.length);
    for (const [place, parameter] of this.#parameters.entries()) {
      parameters[place] = parameter instanceof Slot ? parameter.read(bindings) : parameter;
    }
    return { sql: this.sql, parameters };
  }
}

function checkParameter(parameter: unknown): SqlValue | Slot {
  if (
    parameter === null ||
    parameter instanceof Slot ||
    parameter instanceof Uint8Array ||
    typeof parameter === 'string' ||
    typeof parameter === 'number' ||
    typeof parameter === 'bigint'
  ) {
    return parameter;
  }
  throw new TypeError(`A plan was given a parameter that no database takes: ${typeof parameter}`);
}
