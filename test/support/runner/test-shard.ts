/** One of several equally long parts of a run, for jobs that run side by side. */
export interface Shard {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** Reads `2/4`; undefined where it is nothing of the kind. */
export function readShard(text: string): Shard | undefined {
  const [, part = 0, of = 0] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []).map(Number);
  return part >= 1 && part <= of ? { part, of } : undefined;
}

/**
 * The files of a part, in their order: the longest first, each goes to the part that has the least to do so far. `times` has
 * milliseconds by path; a file that it does not know counts as one of average length.
 */
export function filesOfShard(
  files: readonly string[],
  times: Readonly<Record<string, number>>,
  { part, of }: Shard,
): readonly string[] {
  const known = files.flatMap((path) => times[path] ?? []);
  const average = known.reduce((sum, ms) => sum + ms, 0) / Math.max(1, known.length);
  const msOf = (path: string): number => times[path] ?? average;
  const parts = Array.from({ length: of }, () => ({ ms: 0, files: new Set<string>() }));
  for (const path of files.toSorted((a, b) => msOf(b) - msOf(a) || (a < b ? -1 : 1))) {
    const least = parts.reduce((found, each) => (each.ms < found.ms ? each : found));
    least.ms += msOf(path);
    least.files.add(path);
  }
  return files.filter((path) => parts[part - 1]?.files.has(path));
}
