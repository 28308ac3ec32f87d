import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Calls `changed` after a file directly in a folder was changed, created or removed, once two polls in a row found no further
 * change; never again before it has resolved. It polls, because a folder may be created later, be on a network share, or be
 * replaced entirely. Returns a function that stops it.
 */
export function watchFolder(folder: string, changed: () => Promise<void>, everyMs = 150): () => void {
  let stopped = false;
  let reported = stateOf(folder);
  let last = reported;
  const look = async (): Promise<void> => {
    const now = stateOf(folder);
    const quiet = now === last;
    last = now;
    if (quiet && now !== reported) {
      reported = now;
      await changed();
    }
  };
  const next = (): void => {
    if (!stopped) setTimeout(() => void look().finally(next), everyMs);
  };
  next();
  return () => {
    stopped = true;
  };
}

/** The names, times and sizes of a folder's files as one text, to detect changes. */
function stateOf(folder: string): string {
  try {
    return readdirSync(folder)
      .toSorted()
      .map((name) => {
        const found = statSync(join(folder, name), { throwIfNoEntry: false });
        return `${name}\u0000${found?.mtimeMs}\u0000${found?.size}`;
      })
      .join('\u0000');
  } catch {
    return 'there is no such folder';
  }
}
