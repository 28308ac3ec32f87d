import { bigintKind } from './bigint-kind.ts';
import { booleanKind } from './boolean-kind.ts';
import { dateKind } from './date.ts';
import { datetimeKind } from './datetime.ts';
import { decimalKind } from './decimal.ts';
import { floatKind, integerKind } from './number-kinds.ts';
import { textKind } from './text-kind.ts';
import { timeKind } from './time.ts';
import type { Kind, ScalarKind } from './value-kind.ts';

/** Every kind of scalar: reading it from JSON and from text, and comparing it. */
export const kinds = {
  text: textKind,
  integer: integerKind,
  bigint: bigintKind,
  float: floatKind,
  decimal: decimalKind,
  boolean: booleanKind,
  datetime: datetimeKind,
  date: dateKind,
  time: timeKind,
} satisfies Record<ScalarKind, Kind>;
