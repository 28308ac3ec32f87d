import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Calls `changed` after a file of a folder (not of those inside it) was changed, made or removed, once things have been quiet
 * for two looks; never a second time before it has resolved. It polls, since a folder may come later,
 * be on a share, or be replaced whole. Returns what ends it.
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

/** The names, times and sizes of a folder's files; the same text as long as none has changed. */
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
