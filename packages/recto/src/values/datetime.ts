import { compareScalars } from './compare-scalars.ts';
import { canonicalDate } from './date.ts';
import type { Kind } from './value-kind.ts';

const shape =
  /^(\d{4}-\d\d-\d\d)[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * An instant of RFC 3339, section 5.6, as UTC with milliseconds (finer digits are cut off); undefined for anything else.
 * The offset is required; leap seconds are rejected.
 */
export function canonicalDatetime(text: string): string | undefined {
  const parts = shape.exec(text);
  if (parts === null) return undefined;
  const date = canonicalDate(parts[1] ?? '');
  if (date === undefined) return undefined;
  const milliseconds = (parts[3] ?? '').slice(0, 3).padEnd(3, '0');
  const offset = (Number(parts[5] ?? 0) * 60 + Number(parts[6] ?? 0)) * (parts[4] === '-' ? -60_000 : 60_000);
  const instant = Date.parse(`${date}T${parts[2]}.${milliseconds}Z`) - offset;
  return instant >= earliest && instant <= latest ? new Date(instant).toISOString() : undefined;
}

/** Instants. Text, but not JSON, may also give a plain date, which means its midnight in UTC. */
export const datetimeKind: Kind = {
  fromJson: (value) => (typeof value === 'string' ? canonicalDatetime(value) : undefined),
  fromText: (text) => canonicalDatetime(canonicalDate(text) === undefined ? text : `${text}T00:00:00Z`),
  compare: compareScalars,
  ordered: true,
};
