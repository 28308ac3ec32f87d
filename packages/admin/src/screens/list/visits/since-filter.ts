/** A filter with conditions added to it. */
export const withConditions = (filter: string, conditions: string): string =>
  filter.trim() === '' ? conditions : `(${filter}) && ${conditions}`;

/** The filter without conditions that were added so; undefined where it does not have them. */
export function withoutConditions(filter: string, conditions: string): string | undefined {
  if (filter === conditions) return '';
  const end = `) && ${conditions}`;
  if (!filter.startsWith('(') || !filter.endsWith(end)) return undefined;
  const inside = filter.slice(1, -end.length);
  return isWhole(inside) ? inside : undefined;
}

/** Whether no bracket in it closes one that was opened before it. Those in texts open and close nothing. */
function isWhole(filter: string): boolean {
  let depth = 0;
  for (const [part] of filter.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()]/g)) {
    if (part === '(') depth += 1;
    else if (part === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
