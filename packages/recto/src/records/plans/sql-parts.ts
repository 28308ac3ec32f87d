import { type Expression, type RawBuilder, sql } from 'kysely';
import { Slot, type SqlValue } from '../../base/bindings.ts';

/** `"alias"."name"` */
export const column = (alias: string, name: string): RawBuilder<unknown> => sql.id(alias, name);

/** `"table" as "alias"` */
export const tableAs = (table: string, alias: string): RawBuilder<unknown> => sql`${sql.id(table)} as ${sql.id(alias)}`;

/** All conditions together; an empty list holds always. */
export function allOf(conditions: readonly Expression<unknown>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;
}

/** A condition that never holds. */
export const never: RawBuilder<boolean> = sql`1 = 0`;

/** Hands out the places of `Bindings.values`, one after another. */
export class ValuePlaces {
  #next = 0;

  take(): Expression<unknown> {
    const place = this.#next++;
    return sql.val(new Slot(({ values }): SqlValue => values[place] ?? null));
  }

  /** Hands out the next places once more, for an expression that reads the same values. */
  again(): ValuePlaces {
    const others = new ValuePlaces();
    others.#next = this.#next;
    return others;
  }
}
