import { Cache } from '../../base/cache.ts';
import { isStorableText } from '../../values/text-kind.ts';
import type { FieldOptions } from '../content-type.ts';
import type { ParsedValue } from '../field-type.ts';
import { type OptionFault, rejected } from './parsed-value.ts';

export const lengthOptions = ['max_length', 'min_length', 'pattern'] as const;

/** The bounds of a text: those of the definition, within those of its field type. Lengths count Unicode code points. */
export interface TextBounds {
  readonly min_length?: number | undefined;
  readonly max_length?: number | undefined;
  readonly pattern?: string | undefined;
}

/** What is wrong with `max_length`, `min_length` and `pattern`; `limits` are the field type's own bounds. */
export function checkTextOptions(options: FieldOptions, limits: TextBounds = {}): readonly OptionFault[] {
  const faults: OptionFault[] = [];
  const { min_length: least = limits.min_length ?? 0, max_length: most = limits.max_length, pattern } = options;
  if (options.max_length !== undefined && options.max_length > (limits.max_length ?? options.max_length)) {
    faults.push({ option: 'max_length', message: `must be ${limits.max_length} or less for this field type` });
  } else if (most !== undefined && least > most) {
    const option = options.min_length === undefined ? 'max_length' : 'min_length';
    faults.push({ option, message: `min_length (${least}) is greater than max_length (${most})` });
  }
  if (pattern !== undefined && !isExpression(pattern)) {
    faults.push({ option: 'pattern', message: 'is not an ECMAScript regular expression (flag "u")' });
  }
  return faults;
}

function isExpression(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The keywords of JSON Schema that say the bounds (lengths in code points, patterns unanchored, flag `u`). */
export function textKeywords(bounds: TextBounds): Readonly<Record<string, number | string>> {
  const keywords: Record<string, number | string> = {};
  if (bounds.min_length !== undefined) keywords.minLength = bounds.min_length;
  if (bounds.max_length !== undefined) keywords.maxLength = bounds.max_length;
  if (bounds.pattern !== undefined) keywords.pattern = bounds.pattern;
  return keywords;
}

/** A text within its bounds, or what is wrong with it. */
export function parseText(value: unknown, bounds: TextBounds): ParsedValue {
  if (typeof value !== 'string') return rejected('wrong_type', 'Must be a string.');
  if (!isStorableText(value)) return rejected('invalid_text', 'Must not contain U+0000 or a lone surrogate.');
  const { min_length: least = 0, max_length: most, pattern } = bounds;
  if (isLonger(value, most)) return rejected('too_long', `Must have at most ${count(most ?? 0)}.`);
  if (least > 0 && !isLonger(value, least - 1)) return rejected('too_short', `Must have at least ${count(least)}.`);
  if (pattern !== undefined && !expressionOf(pattern).test(value)) {
    return rejected('bad_format', `Must match the pattern ${pattern}.`);
  }
  return { ok: true, value };
}

const count = (characters: number): string => `${characters} character${characters === 1 ? '' : 's'}`;

/** Whether a text has more code points than `most`. Its UTF-16 length settles nearly every case without counting. */
function isLonger(text: string, most: number | undefined): boolean {
  if (most === undefined || text.length <= most) return false;
  if (text.length > most * 2) return true;
  let points = 0;
  for (const _ of text) points += 1;
  return points > most;
}

/** Patterns come from definitions; bounded, as those can be made through the API without end. */
const expressions = new Cache<RegExp>({ entries: 5_000 });

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const expression = new RegExp(pattern, 'u');
  expressions.set(pattern, expression);
  return expression;
}
