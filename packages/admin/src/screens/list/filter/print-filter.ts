import type { Comparison, FilterGroup, FilterNode, FilterValue } from './filter-tree.ts';

/** The text of a filter, as the parameter `filter` takes it; empty for no conditions. */
export const printFilter = (filter: FilterGroup): string => printItems(filter);

/** Groups without conditions say nothing. */
const isEmpty = (node: FilterNode): boolean => node.node === 'group' && node.items.every(isEmpty);

function printItems({ join, items }: FilterGroup): string {
  return items
    .filter((item) => !isEmpty(item))
    .map(printNode)
    .join(join === 'and' ? ' && ' : ' || ');
}

function printNode(node: FilterNode): string {
  switch (node.node) {
    case 'condition':
      return printComparison(node.path, node.comparison);
    case 'text':
      return node.text;
    case 'group':
      return `(${printItems(node)})`;
  }
}

const operators = {
  equals: '=',
  not_equals: '!=',
  greater: '>',
  at_least: '>=',
  less: '<',
  at_most: '<=',
  has: '?=',
} as const;

function printComparison(path: string, comparison: Comparison): string {
  switch (comparison.operator) {
    case 'contains':
      return `${path} ~ ${quoted(`%${escapedPattern(comparison.text)}%`)}`;
    case 'not_contains':
      return `${path} !~ ${quoted(`%${escapedPattern(comparison.text)}%`)}`;
    case 'begins':
      return `${path} ~ ${quoted(`${escapedPattern(comparison.text)}%`)}`;
    case 'ends':
      return `${path} ~ ${quoted(`%${escapedPattern(comparison.text)}`)}`;
    case 'in':
      return `${path} in [${comparison.values.map(printValue).join(', ')}]`;
    case 'not_in':
      return `${path} not in [${comparison.values.map(printValue).join(', ')}]`;
    case 'between':
      return `(${path} >= ${printValue(comparison.from)} && ${path} <= ${printValue(comparison.to)})`;
    case 'empty':
      return `${path} = null`;
    case 'not_empty':
      return `${path} != null`;
    case 'none':
      return `${path}:length = 0`;
    case 'some':
      return `${path}:length > 0`;
    case 'mine':
      return `${path} = @request.auth.id`;
    case 'today':
      return `(${path} >= @today && ${path} < @tomorrow)`;
    case 'yesterday':
      return `(${path} >= @yesterday && ${path} < @today)`;
    case 'within_last':
      return `(${path} >= ${moment(comparison, '-')} && ${path} <= ${moment(comparison)})`;
    case 'within_next':
      return `(${path} >= ${moment(comparison)} && ${path} <= ${moment(comparison, '+')})`;
    case 'longer_ago':
      return `${path} < ${moment(comparison, '-')}`;
    default:
      return `${path} ${operators[comparison.operator]} ${printValue(comparison.value)}`;
  }
}

function moment(
  { amount, unit, day }: { readonly amount: number; readonly unit: string; readonly day: boolean },
  sign?: '-' | '+',
): string {
  const start = day ? '@today' : '@now';
  return sign === undefined ? start : `${start} ${sign} ${amount}${unit}`;
}

export function printValue(value: FilterValue): string {
  switch (value.kind) {
    case 'text':
      return quoted(value.text);
    case 'number':
      return value.digits;
    case 'boolean':
      return String(value.value);
  }
}

const written: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const quoted = (text: string): string => `"${text.replace(/["\\\n\r\t]/g, (found) => written[found] ?? `\\${found}`)}"`;

/** `%` and `_` stand for themselves. */
const escapedPattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
