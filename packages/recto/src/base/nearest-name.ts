import { distance } from 'fastest-levenshtein';

/** The name that was most likely meant, ignoring case: about a third of its characters may differ. Undefined when none is close. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  let least = Math.min(written.length - 1, Math.max(1, Math.ceil(written.length / 3))) + 1;
  let nearest: string | undefined;
  for (const name of names) {
    const edits = distance(written.toLowerCase(), name.toLowerCase());
    if (edits < least) [nearest, least] = [name, edits];
  }
  return nearest;
}
