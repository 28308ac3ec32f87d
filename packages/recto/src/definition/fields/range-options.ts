import { kinds } from '../../values/kinds.ts';
import type { Scalar, ScalarKind } from '../../values/value-kind.ts';
import type { FieldOptions } from '../content-type.ts';
import type { FieldType, ParsedValue } from '../field-type.ts';
import { accepted, type OptionFault, rejected } from './parsed-value.ts';

interface Range {
  readonly min: Scalar | undefined;
  readonly max: Scalar | undefined;
}

const ranges = new WeakMap<FieldOptions, Range>();

/** The canonical bounds of a field's checked options. */
export function rangeOf(kind: ScalarKind, options: FieldOptions): Range {
  const known = ranges.get(options);
  if (known !== undefined) return known;
  const range = { min: bound(kind, options.min), max: bound(kind, options.max) };
  ranges.set(options, range);
  return range;
}

/** Definitions may write a decimal's bounds as numbers too: they are constants in a file, not values that travel. */
function bound(kind: ScalarKind, written: number | string | undefined): Scalar | undefined {
  if (written === undefined) return undefined;
  return kinds[kind].fromJson(kind === 'decimal' ? String(written) : written);
}

/**
 * What the types share whose values have an order: `min` and `max`, both inclusive, compared exactly.
 * `example` completes "Must be …" for a value that is not of the kind.
 */
export function ranged(
  kind: ScalarKind,
  example: string,
): Pick<FieldType, 'kind' | 'options' | 'checkOptions' | 'parse'> {
  const { fromJson, compare } = kinds[kind];
  return {
    kind,
    options: ['min', 'max'],
    checkOptions: (options) => checkRange(kind, options, example),
    parse(value, field): ParsedValue {
      const canonical = fromJson(value);
      if (canonical === undefined) return rejected('wrong_type', `Must be ${example}.`);
      const { min, max } = rangeOf(kind, field.options);
      if (min !== undefined && compare(canonical, min) < 0) return rejected('too_small', `Must be ${min} or more.`);
      if (max !== undefined && compare(canonical, max) > 0) return rejected('too_large', `Must be ${max} or less.`);
      return accepted(canonical);
    },
  };
}

function checkRange(kind: ScalarKind, options: FieldOptions, example: string): readonly OptionFault[] {
  const min = bound(kind, options.min);
  const max = bound(kind, options.max);
  const faults: OptionFault[] = [];
  if (options.min !== undefined && min === undefined) faults.push({ option: 'min', message: `must be ${example}` });
  if (options.max !== undefined && max === undefined) faults.push({ option: 'max', message: `must be ${example}` });
  if (min !== undefined && max !== undefined && kinds[kind].compare(min, max) > 0) {
    faults.push({ option: 'min', message: `min (${min}) is greater than max (${max})` });
  }
  return faults;
}

/** `minimum` and `maximum` of JSON Schema, for kinds whose bounds are JSON numbers. */
export function rangeKeywords(
  kind: 'integer' | 'float',
  options: FieldOptions,
): { minimum?: number; maximum?: number } {
  const { min, max } = rangeOf(kind, options);
  return {
    ...(typeof min === 'number' ? { minimum: min } : {}),
    ...(typeof max === 'number' ? { maximum: max } : {}),
  };
}

/** Bounds that JSON Schema has no keyword for, in words. */
export function rangeDescription(kind: ScalarKind, options: FieldOptions): { description?: string } {
  const { min, max } = rangeOf(kind, options);
  const words = [min === undefined ? '' : `from ${min}`, max === undefined ? '' : `up to ${max}`];
  const text = words.filter((word) => word !== '').join(' ');
  return text === '' ? {} : { description: `${text[0]?.toUpperCase()}${text.slice(1)}.` };
}
