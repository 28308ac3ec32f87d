import { type Expression, type RawBuilder, sql } from 'kysely';
import { decimalLimits } from '../../values/decimal.ts';
import { type ExactNumber, exactText } from '../../values/exact-sum.ts';
import type { ScalarKind } from '../../values/value-kind.ts';
import type { AggregateDialect } from '../dialect.ts';

/**
 * SQLite computes with 64 bits, so numbers are added up in parts of ten decimal digits: 900,000,000 such parts fit. `sum`
 * fails where they do not (https://sqlite.org/lang_aggfunc.html#sumunc).
 */
const partDigits = 10;
const part = sql.lit(10 ** partDigits);

const decimalParts = (decimalLimits.before + decimalLimits.after) / partDigits;

/** Nearly all decimals are short: these are integers once they have this many digits after the point, which costs a fraction. */
const short = { after: 4, characters: 14 } as const;

export const sqliteAggregates: AggregateDialect = {
  addend: (kind, column) => (kind === 'decimal' ? decimalAddend(column) : sql`${column}`),
  sum: (kind, addend) => {
    if (kind === 'float') return sql`case when count(${addend}) > 0 then printf('%!.17g', sum(${addend})) end`;
    const sums = partsOf(kind, addend).map((one) => sql`ifnull(sum(${one}), 0)`);
    return sql`case when count(${addend}) > 0 then ${sql.join(sums, sql` || ' ' || `)} end`;
  },
  total(kind, text) {
    if (kind === 'float') return text;
    const parts = text.split(' ').map(BigInt);
    const [first, second] = [combined(parts.slice(0, 2)), combined(parts.slice(2))];
    return exactText(kind === 'decimal' ? added(first, second) : { units: first, scale: 0 });
  },
  // A subquery with a LIMIT does not become part of an aggregate (https://sqlite.org/optoverview.html, section 10).
  computedOnce: (select) => sql`${select} limit -1`,
  textRows: (json, alias, columns) => {
    const values = columns.map((name, place) => sql`"value" ->> ${sql.lit(place)} as ${sql.id(name)}`);
    // With a LIMIT the rows are made once, and found by an index.
    return sql`(select ${sql.join(values)} from json_each(${json}) limit -1) as ${sql.id(alias)}`;
  },
};

const combined = (parts: readonly bigint[]): bigint =>
  parts.reduce((sum, one) => sum * 10n ** BigInt(partDigits) + one, 0n);

/** The sums of short decimals and of all others. */
function added(shorts: bigint, others: bigint): ExactNumber {
  const scale = decimalLimits.after;
  return { units: shorts * 10n ** BigInt(scale - short.after) + others, scale };
}

/** The parts of an addend, the greatest first. */
function partsOf(kind: ScalarKind, addend: Expression<unknown>): readonly RawBuilder<unknown>[] {
  if (kind !== 'decimal') return [sql`${addend} / ${part}`, sql`${addend} % ${part}`];
  const isShort = sql`typeof(${addend}) = 'integer'`;
  const shorts = [sql`${addend} / ${part}`, sql`${addend} % ${part}`];
  const others = Array.from({ length: decimalParts }, (_, place) => {
    const digits = sql`substr(${addend}, ${sql.lit(2 + place * partDigits)}, ${sql.lit(partDigits)})`;
    return sql`cast(substr(${addend}, 1, 1) || ${digits} as integer)`;
  });
  return [
    ...shorts.map((one) => sql`case when ${isShort} then ${one} end`),
    ...others.map((one) => sql`case when not ${isShort} then ${one} end`),
  ];
}

const zeros = (count: number): RawBuilder<unknown> => sql.lit('0'.repeat(count));

/** A stored decimal as an integer where it is short, else as its sign and all digits that one can have before and after its point. */
function decimalAddend(column: Expression<unknown>): RawBuilder<unknown> {
  const plain = sql`substr(${column}, instr(${column}, ' ') + 1)`;
  const after = sql`(length(${plain}) - instr(${plain} || '.', '.'))`;
  const factor = sql`case ${after} when 2 then 100 when -1 then 10000 when 1 then 1000 when 3 then 10 when 4 then 1 end`;
  const scaled = sql`cast(replace(${plain}, '.', '') as integer) * (${factor})`;
  const isShort = sql`length(${plain}) <= ${sql.lit(short.characters)} and ${after} <= ${sql.lit(short.after)}`;
  return sql`case when ${isShort} then ${scaled} when ${column} is not null then ${paddedDecimal(column, plain)} end`;
}

function paddedDecimal(column: Expression<unknown>, plain: RawBuilder<unknown>): RawBuilder<unknown> {
  const { before, after } = decimalLimits;
  const size = sql`ltrim(${plain}, '-')`;
  const point = sql`instr(${size} || '.', '.')`;
  const whole = sql`substr(${zeros(before)} || substr(${size}, 1, ${point} - 1), ${sql.lit(-before)})`;
  const rest = sql`substr(substr(${size}, ${point} + 1) || ${zeros(after)}, 1, ${sql.lit(after)})`;
  return sql`(case when ${column} < '1' then '-' else '+' end || ${whole} || ${rest})`;
}
