import type { Field, FieldOptions } from '../../definition/content-type.ts';
import { rangeOf } from '../../definition/fields/range-options.ts';
import { kinds } from '../../values/kinds.ts';
import type { Scalar, ValueKind } from '../../values/value-kind.ts';

/** What a definition asks of a field's values, apart from where they are. */
export interface FieldAsks {
  /** The name of its field type. */
  readonly type: string;
  readonly required: boolean;
  readonly options: FieldOptions;
}

/** A protocol's column is null in records that were there before the protocol, so nothing asks for its values. */
export const asksOf = ({ type, required, origin, options }: Field): FieldAsks => {
  const {
    target_field: _target,
    format: _format,
    sanitize: _sanitize,
    multiple: _multiple,
    external: _external,
    ...bounds
  } = options;
  return { type: type.name, required: required && origin === 'declared', options: bounds };
};

/** How the later one differs. */
export interface AskedMore {
  /** In words (`max_length 200 → 100`), where a value that the earlier one takes may be none to the later one. */
  readonly narrowed: readonly string[];
  /** Whether values must be there that need not have been. */
  readonly required: boolean;
}

export function askedMore(before: FieldAsks | undefined, after: FieldAsks | undefined, kind: ValueKind): AskedMore {
  if (before === undefined || after === undefined) return { narrowed: [], required: false };
  const narrowed = before.type === after.type ? [] : [`${before.type} → ${after.type}`];
  const [was, is] = [before.options, after.options];
  for (const [option, isNarrower] of Object.entries(bounds(kind))) {
    // True because `bounds` is keyed by the names of options.
    const name = option as keyof Bounds;
    if (is[name] !== undefined && isNarrower(was, is))
      narrowed.push(`${name} ${shown(was[name])} → ${shown(is[name])}`);
  }
  return { narrowed, required: after.required && !before.required };
}

/** The options that stored values may break. Stored rich text is kept as it is until the next write. */
type Bounds = Omit<FieldOptions, 'target_field' | 'format' | 'sanitize' | 'multiple' | 'external'>;

/** Whether the second options, which have that one, take less by it than the first. */
function bounds(kind: ValueKind): Readonly<Record<keyof Bounds, (was: Bounds, is: Bounds) => boolean>> {
  const limits = (options: Bounds) => (kind === 'json' ? { min: undefined, max: undefined } : rangeOf(kind, options));
  // Lengths and counts are numbers, whatever the kind of the values.
  const compared = (one: Scalar, other: Scalar): number => {
    if (typeof one === 'number' && typeof other === 'number') return one - other;
    return kind === 'json' ? 0 : kinds[kind].compare(one, other);
  };
  const tighter = (was: Scalar | undefined, is: Scalar | undefined, direction: 1 | -1): boolean =>
    is !== undefined && (was === undefined || compared(is, was) * direction > 0);
  return {
    max_length: (was, is) => tighter(was.max_length, is.max_length, -1),
    min_length: (was, is) => tighter(was.min_length, is.min_length, 1),
    max: (was, is) => tighter(limits(was).max, limits(is).max, -1),
    min: (was, is) => tighter(limits(was).min, limits(is).min, 1),
    max_items: (was, is) => tighter(was.max_items, is.max_items, -1),
    min_items: (was, is) => tighter(was.min_items, is.min_items, 1),
    pattern: (was, is) => was.pattern !== is.pattern,
    enum_values: (was, is) => was.enum_values?.every((value) => is.enum_values?.includes(value)) !== true,
  };
}

const shown = (value: Bounds[keyof Bounds]): string => {
  if (value === undefined) return 'none';
  return typeof value === 'object' ? value.join(', ') : String(value);
};
