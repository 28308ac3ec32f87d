import { type MessageKey, t } from '../../../text/text.ts';
import { type FieldKind, type ListField, valueLabel } from '../data/list-fields.ts';
import type { Comparison, DurationUnit, FilterNode, FilterValue, Operator } from './filter-tree.ts';

const names: Readonly<Record<Operator, MessageKey>> = {
  equals: 'list.opEquals',
  not_equals: 'list.opNotEquals',
  greater: 'list.opGreater',
  at_least: 'list.opAtLeast',
  less: 'list.opLess',
  at_most: 'list.opAtMost',
  has: 'list.opHas',
  contains: 'list.opContains',
  not_contains: 'list.opNotContains',
  begins: 'list.opBegins',
  ends: 'list.opEnds',
  in: 'list.opIn',
  not_in: 'list.opNotIn',
  between: 'list.opBetween',
  empty: 'list.opEmpty',
  not_empty: 'list.opNotEmpty',
  none: 'list.opNone',
  some: 'list.opSome',
  today: 'list.opToday',
  yesterday: 'list.opYesterday',
  mine: 'list.opMine',
  within_last: 'list.opWithinLast',
  within_next: 'list.opWithinNext',
  longer_ago: 'list.opLongerAgo',
};

const ofTimes: Partial<Readonly<Record<Operator, MessageKey>>> = {
  greater: 'list.opAfter',
  at_least: 'list.opSince',
  less: 'list.opBefore',
  at_most: 'list.opUntil',
};

const isTime = (kind: FieldKind | undefined): boolean => kind === 'date' || kind === 'datetime' || kind === 'time';

/** What an operator is called for a kind of field. */
export const operatorName = (operator: Operator, kind: FieldKind | undefined): string =>
  t((isTime(kind) ? ofTimes[operator] : undefined) ?? names[operator]);

const units: Readonly<Record<DurationUnit, MessageKey>> = {
  m: 'list.unitM',
  h: 'list.unitH',
  d: 'list.unitD',
  w: 'list.unitW',
};

export const unitName = (unit: DurationUnit): string => t(units[unit]);

/** How records and fields are called. */
export interface FilterNames {
  field(path: string): Pick<ListField, 'label' | 'kind' | 'valueLabels'> | undefined;
  /** The title of a related record; undefined while it is not known. */
  record(path: string, id: string): string | undefined;
}

/** A part of a filter in words, for people: "Status is one of draft, review". */
export function filterWords(node: FilterNode, by: FilterNames): string {
  switch (node.node) {
    case 'text':
      return node.text;
    case 'group': {
      const join = t(node.join === 'and' ? 'list.joinAnd' : 'list.joinOr');
      return `(${node.items.map((item) => filterWords(item, by)).join(` ${join} `)})`;
    }
    case 'condition': {
      const field = by.field(node.path);
      const words = [
        field?.label ?? node.path,
        operatorName(node.comparison.operator, field?.kind),
        valueWords(node.comparison, (value) => shown(value, node.path, by)),
      ];
      return words.filter((word) => word !== '').join(' ');
    }
  }
}

function valueWords(comparison: Comparison, show: (value: FilterValue) => string): string {
  if ('text' in comparison) return `“${comparison.text}”`;
  if ('value' in comparison) return show(comparison.value);
  if ('values' in comparison) return comparison.values.map(show).join(', ');
  if ('from' in comparison) return `${show(comparison.from)} ${t('list.joinAnd')} ${show(comparison.to)}`;
  return 'amount' in comparison ? `${comparison.amount} ${unitName(comparison.unit)}` : '';
}

function shown(value: FilterValue, path: string, by: FilterNames): string {
  switch (value.kind) {
    case 'boolean':
      return t(value.value ? 'list.yes' : 'list.no');
    case 'number':
      return value.digits;
    case 'text':
      return by.record(path, value.text) ?? optionWords(by.field(path), value.text);
  }
}

const optionWords = (field: Pick<ListField, 'kind' | 'valueLabels'> | undefined, text: string): string =>
  field?.kind === 'status' || field?.kind === 'choice' ? valueLabel(field, text) : text;
