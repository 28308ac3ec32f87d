/** Edits (insert, remove, replace a character) that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The name that was most likely meant: about a third of the characters may differ, letter case apart. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const allowed = Math.min(written.length - 1, Math.max(1, Math.ceil(written.length / 3)));
  let nearest: string | undefined;
  let least = allowed + 1;
  for (const name of names) {
    if (Math.abs(name.length - written.length) >= least) continue;
    const distance = editDistance(written.toLowerCase(), name.toLowerCase());
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}
