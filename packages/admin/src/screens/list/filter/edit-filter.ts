import { isComplete } from './field-operators.ts';
import type { FilterGroup, FilterNode, FilterValue } from './filter-tree.ts';

/** The group with another item in the place of one; without one where there is none. */
export function withItem(group: FilterGroup, index: number, item: FilterNode | undefined): FilterGroup {
  return { ...group, items: item === undefined ? group.items.toSpliced(index, 1) : group.items.with(index, item) };
}

/** Without conditions whose values are not given yet, and without groups that are empty then. */
export function completeParts(group: FilterGroup): FilterGroup {
  const items = group.items.flatMap((item): readonly FilterNode[] => {
    if (item.node === 'text') return item.text.trim() === '' ? [] : [item];
    if (item.node === 'condition') return isComplete(item.comparison) ? [item] : [];
    const inside = completeParts(item);
    return inside.items.length === 0 ? [] : [inside];
  });
  return { ...group, items };
}

/** The values that the filter demands of a field at its top: `in` and `equals`. Undefined where it demands none in that form. */
export function demandedValues(group: FilterGroup, path: string): readonly string[] | undefined {
  if (group.join === 'or' && group.items.length > 1) return undefined;
  for (const item of group.items) {
    if (item.node !== 'condition' || item.path !== path) continue;
    const { comparison } = item;
    const values =
      comparison.operator === 'in' ? comparison.values : comparison.operator === 'equals' ? [comparison.value] : [];
    const texts = values.flatMap((value) => (value.kind === 'text' ? [value.text] : []));
    if (texts.length > 0) return texts;
  }
  return undefined;
}

/** The filter with this field demanded to be one of the values; none: without that. Other conditions stay. */
export function withDemand(group: FilterGroup, path: string, values: readonly string[]): FilterGroup {
  const isDemand = (item: FilterNode): boolean =>
    item.node === 'condition' && item.path === path && ['in', 'equals'].includes(item.comparison.operator);
  const asOne = group.join === 'or' && group.items.length > 1;
  const others: readonly FilterNode[] = asOne ? [group] : group.items.filter((item) => !isDemand(item));
  const texts = values.map((text): FilterValue => ({ kind: 'text', text }));
  const [first, ...more] = texts;
  if (first === undefined) return asOne ? group : { ...group, join: 'and', items: others };
  const comparison =
    more.length === 0 ? ({ operator: 'equals', value: first } as const) : ({ operator: 'in', values: texts } as const);
  return { node: 'group', join: 'and', items: [...others, { node: 'condition', path, comparison }] };
}

const isValueDemand = (item: FilterNode, path: string): boolean =>
  item.node === 'condition' && item.path === path && item.comparison.operator === 'not_empty';

/** Whether the filter demands at its top that a field has a value. */
export const demandsValue = (group: FilterGroup, path: string): boolean =>
  (group.join === 'and' || group.items.length === 1) && group.items.some((item) => isValueDemand(item, path));

/** The filter with this field demanded to have a value, or without that. Other conditions stay. */
export function withValueDemand(group: FilterGroup, path: string, isDemanded: boolean): FilterGroup {
  const isChoice = group.join === 'or' && group.items.length > 1;
  if (isChoice && !isDemanded) return group;
  const others = isChoice ? [group] : group.items.filter((item) => !isValueDemand(item, path));
  const demand: readonly FilterNode[] = isDemanded
    ? [{ node: 'condition', path, comparison: { operator: 'not_empty' } }]
    : [];
  return { node: 'group', join: 'and', items: [...others, ...demand] };
}
