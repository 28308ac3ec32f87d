import '../../../text/en/list-tools.ts';
import { t } from '../../../text/text.ts';
import { type ListField, valueLabel } from '../data/list-fields.ts';
import { demandedValues, withDemand } from './edit-filter.ts';
import type { FilterCondition, FilterGroup, FilterNode } from './filter-tree.ts';
import { isQuick } from './has-quick-filters.ts';

/** A condition that one click sets and takes back. */
export interface QuickFilter {
  readonly key: string;
  readonly label: string;
  readonly isOn: (filter: FilterGroup) => boolean;
  readonly toggled: (filter: FilterGroup) => FilterGroup;
}

/** Quick filters of one field. */
export interface QuickFilterGroup {
  readonly key: string;
  /** What its filters are values of; absent: each says that itself. */
  readonly label: string | undefined;
  readonly filters: readonly QuickFilter[];
}

const mostGroups = 6;

/** The quick filters of a list, as its fields suggest them: what is one's own, what is set, what is missing, and the values of choices. */
export function quickFilters(fields: readonly ListField[]): readonly QuickFilterGroup[] {
  const quick = fields.filter(isQuick);
  const order = ['id', 'relation', 'boolean', 'choice', 'media'];
  const sorted = quick.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  return sorted.slice(0, mostGroups).map((field): QuickFilterGroup => {
    if (field.kind !== 'choice') return { key: field.name, label: undefined, filters: [conditionOf(field)] };
    const filters = field.values.map((value) => filterOfValue(field, value));
    return { key: field.name, label: field.label, filters };
  });
}

function conditionOf(field: ListField): QuickFilter {
  const path = field.name;
  switch (field.kind) {
    case 'id':
      return ofCondition({ node: 'condition', path, comparison: { operator: 'mine' } }, t('listTools.quickMine'));
    case 'relation':
      return ofCondition(
        { node: 'condition', path, comparison: { operator: 'mine' } },
        t('listTools.quickIsMe', { field: field.label }),
      );
    case 'media':
      return ofCondition(
        { node: 'condition', path, comparison: { operator: 'empty' } },
        t('listTools.quickWithout', { field: field.label }),
      );
    default: {
      const value = { kind: 'boolean', value: true } as const;
      return ofCondition({ node: 'condition', path, comparison: { operator: 'equals', value } }, field.label);
    }
  }
}

/** One of the values of a choice: several of them are demanded as alternatives. */
const filterOfValue = (field: ListField, value: string): QuickFilter => ({
  key: `${field.name}:${value}`,
  label: valueLabel(field, value),
  isOn: (filter) => demandedValues(filter, field.name)?.includes(value) === true,
  toggled(filter) {
    const chosen = new Set(demandedValues(filter, field.name));
    if (!chosen.delete(value)) chosen.add(value);
    return withDemand(
      filter,
      field.name,
      field.values.filter((each) => chosen.has(each)),
    );
  },
});

function ofCondition(condition: FilterCondition, label: string): QuickFilter {
  const isIt = (item: FilterNode): boolean =>
    item.node === 'condition' &&
    item.path === condition.path &&
    JSON.stringify(item.comparison) === JSON.stringify(condition.comparison);
  const isChoice = ({ join, items }: FilterGroup): boolean => join === 'or' && items.length > 1;
  const isOn = (filter: FilterGroup): boolean => !isChoice(filter) && filter.items.some(isIt);
  return {
    key: condition.path,
    label,
    isOn,
    toggled(filter) {
      if (isOn(filter)) return { ...filter, join: 'and', items: filter.items.filter((item) => !isIt(item)) };
      const others = isChoice(filter) ? [filter] : filter.items;
      return { node: 'group', join: 'and', items: [...others, condition] };
    },
  };
}
