/** A folder of the library with those within it. */
export interface Folder {
  /** All of it: `travel/lisbon`. */
  readonly path: string;
  /** The last part. */
  readonly name: string;
  /** Files in it and in those within it. */
  readonly count: number;
  readonly depth: number;
}

/** Folders in the order of a tree. A folder of which only those within it have files is there too. */
export function folderTree(counts: readonly { readonly folder: string; readonly count: number }[]): readonly Folder[] {
  const totals = new Map<string, number>();
  for (const { folder, count } of counts) {
    const parts = folder.split('/');
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const path = parts.slice(0, depth).join('/');
      totals.set(path, (totals.get(path) ?? 0) + count);
    }
  }
  const order = new Intl.Collator(undefined, { numeric: true });
  const byParts = (a: readonly string[], b: readonly string[]): number => {
    for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
      const compared = order.compare(a[at] ?? '', b[at] ?? '');
      if (compared !== 0) return compared;
    }
    return a.length - b.length;
  };
  return [...totals]
    .map(([path, count]) => ({ path, count, parts: path.split('/') }))
    .toSorted((a, b) => byParts(a.parts, b.parts))
    .map(({ path, count, parts }) => ({ path, count, name: parts.at(-1) ?? path, depth: parts.length - 1 }));
}
