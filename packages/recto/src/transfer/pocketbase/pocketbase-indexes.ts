/** An index of a collection. */
export interface PocketbaseIndex {
  readonly isUnique: boolean;
  readonly columns: readonly string[];
  /** Whether it holds for some records alone, besides those that have no value. */
  readonly isPartial: boolean;
}

const shape = /^\s*create\s+(unique\s+)?index\s[\s\S]*?\son\s[^(]+\(([\s\S]*?)\)\s*(?:where\s+([\s\S]+))?$/i;

/** Longer ones are of many columns or expressions; the search would take its time with them. */
const longest = 1_000;

/** Undefined for one of expressions. */
export function readIndex(sql: string): PocketbaseIndex | undefined {
  if (sql.length > longest) return undefined;
  const [whole, unique, columns = '', where] = shape.exec(sql.trim().replace(/;$/, '')) ?? [];
  if (whole === undefined) return undefined;
  const names = columns.split(',').map((column) =>
    column
      .replace(/\s+(?:collate\s+\w+|asc|desc)\b/gi, '')
      .replaceAll(/[`"'[\]]/g, '')
      .trim(),
  );
  if (names.some((name) => !/^\w+$/.test(name))) return undefined;
  const condition = where
    ?.replaceAll(/[`"[\]\s]/g, '')
    .replaceAll("''", '')
    .toLowerCase();
  const isThere = names.length === 1 && condition === `${names[0]?.toLowerCase()}!=`;
  return { isUnique: unique !== undefined, columns: names, isPartial: condition !== undefined && !isThere };
}
