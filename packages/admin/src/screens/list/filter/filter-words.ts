import '../../../text/en/list-tools.ts';
import { type MessageKey, t } from '../../../text/text.ts';
import { type FieldKind, type ListField, valueLabel } from '../data/list-fields.ts';
import type { Comparison, DurationUnit, FilterNode, FilterValue, Operator } from './filter-tree.ts';

const names: Readonly<Record<Operator, MessageKey>> = {
  equals: 'listTools.opEquals',
  not_equals: 'listTools.opNotEquals',
  greater: 'listTools.opGreater',
  at_least: 'listTools.opAtLeast',
  less: 'listTools.opLess',
  at_most: 'listTools.opAtMost',
  has: 'listTools.opHas',
  contains: 'listTools.opContains',
  not_contains: 'listTools.opNotContains',
  begins: 'listTools.opBegins',
  ends: 'listTools.opEnds',
  in: 'listTools.opIn',
  not_in: 'listTools.opNotIn',
  between: 'listTools.opBetween',
  empty: 'list.opEmpty',
  not_empty: 'listTools.opNotEmpty',
  none: 'listTools.opNone',
  some: 'listTools.opSome',
  today: 'listTools.opToday',
  yesterday: 'listTools.opYesterday',
  mine: 'listTools.opMine',
  within_last: 'listTools.opWithinLast',
  within_next: 'listTools.opWithinNext',
  longer_ago: 'listTools.opLongerAgo',
};

const ofTimes: Partial<Readonly<Record<Operator, MessageKey>>> = {
  greater: 'listTools.opAfter',
  at_least: 'listTools.opSince',
  less: 'listTools.opBefore',
  at_most: 'listTools.opUntil',
};

const isTime = (kind: FieldKind | undefined): boolean => kind === 'date' || kind === 'datetime' || kind === 'time';

/** What an operator is called for a kind of field. */
export const operatorName = (operator: Operator, kind: FieldKind | undefined): string =>
  t((isTime(kind) ? ofTimes[operator] : undefined) ?? names[operator]);

const units: Readonly<Record<DurationUnit, MessageKey>> = {
  m: 'listTools.unitM',
  h: 'listTools.unitH',
  d: 'listTools.unitD',
  w: 'listTools.unitW',
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
      const join = t(node.join === 'and' ? 'listTools.joinAnd' : 'listTools.joinOr');
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
  if ('from' in comparison) return `${show(comparison.from)} ${t('listTools.joinAnd')} ${show(comparison.to)}`;
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
