import { type Expression, type RawBuilder, sql } from 'kysely';
import { decimalLimits } from '../../values/decimal.ts';
import { exactText } from '../../values/exact-sum.ts';
import type { ScalarKind } from '../../values/value-kind.ts';
import type { AggregateDialect } from '../dialect.ts';

/**
 * SQLite computes with 64 bits, so numbers are added up in parts of ten decimal digits: 900,000,000 such parts fit. `sum`
 * fails where they do not (https://sqlite.org/lang_aggfunc.html#sumunc).
 */
const partDigits = 10;
const part = sql.lit(10 ** partDigits);

const decimalParts = (decimalLimits.before + decimalLimits.after) / partDigits;

export const sqliteAggregates: AggregateDialect = {
  addend: (kind, column) => (kind === 'decimal' ? paddedDecimal(column) : sql`${column}`),
  sum: (kind, addend) => {
    if (kind === 'float') return sql`case when count(${addend}) > 0 then printf('%!.17g', sum(${addend})) end`;
    const sums = partsOf(kind, addend).map((one) => sql`sum(${one})`);
    return sql`(${sql.join(sums, sql` || ' ' || `)})`;
  },
  total(kind, text) {
    if (kind === 'float') return text;
    const units = text.split(' ').reduce((sum, one) => sum * 10n ** BigInt(partDigits) + BigInt(one), 0n);
    return exactText({ units, scale: kind === 'decimal' ? decimalLimits.after : 0 });
  },
  // A subquery with a LIMIT does not become part of an aggregate (https://sqlite.org/optoverview.html, section 10).
  computedOnce: (select) => sql`${select} limit -1`,
  textRows: (json, alias, columns) => {
    const values = columns.map((name, place) => sql`"value" ->> ${sql.lit(place)} as ${sql.id(name)}`);
    return sql`(select ${sql.join(values)} from json_each(${json})) as ${sql.id(alias)}`;
  },
};

/** The parts of an addend, the greatest first. */
function partsOf(kind: ScalarKind, addend: Expression<unknown>): readonly RawBuilder<unknown>[] {
  if (kind !== 'decimal') return [sql`${addend} / ${part}`, sql`${addend} % ${part}`];
  return Array.from({ length: decimalParts }, (_, place) => {
    const digits = sql`substr(${addend}, ${sql.lit(2 + place * partDigits)}, ${sql.lit(partDigits)})`;
    return sql`cast(substr(${addend}, 1, 1) || ${digits} as integer)`;
  });
}

const zeros = (count: number): RawBuilder<unknown> => sql.lit('0'.repeat(count));

/** A stored decimal as its sign and all digits that one can have before and after its point. */
function paddedDecimal(column: Expression<unknown>): RawBuilder<unknown> {
  const { before, after } = decimalLimits;
  const plain = sql`substr(${column}, instr(${column}, ' ') + 1)`;
  const size = sql`ltrim(${plain}, '-')`;
  const point = sql`instr(${size} || '.', '.')`;
  const whole = sql`substr(${zeros(before)} || substr(${size}, 1, ${point} - 1), ${sql.lit(-before)})`;
  const rest = sql`substr(substr(${size}, ${point} + 1) || ${zeros(after)}, 1, ${sql.lit(after)})`;
  return sql`(case when ${column} < '1' then '-' else '+' end || ${whole} || ${rest})`;
}
