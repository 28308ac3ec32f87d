import { type LinkingRecord, linksTo } from '../../../api/link-routes.ts';
import type { ListedType } from '../data/list-fields.ts';

/** So many records are asked about, each with a request. */
const mostAsked = 50;
/** So many at a time. */
const atOnce = 5;
/** So long the question waits, in milliseconds. */
const longestLook = 3_000;

/**
 * The records whose texts link to any of these, but for these themselves. What is not known in time, as offline, is left out: nobody is kept
 * from it.
 */
export async function linksToAny(
  { plural, singular }: ListedType,
  ids: readonly string[],
): Promise<readonly LinkingRecord[]> {
  const found = new Map<string, LinkingRecord>();
  const own = new Set(ids);
  const queue = ids.slice(0, mostAsked);
  const signal = AbortSignal.timeout(longestLook);
  const look = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined && !signal.aborted; id = queue.shift()) {
      const records = await linksTo(plural, id, signal).catch(() => []);
      for (const one of records) if (one.type !== singular || !own.has(one.id)) found.set(`${one.type} ${one.id}`, one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, look));
  return [...found.values()];
}
