import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Where files in memory are on Linux. */
const memory = '/dev/shm';

/** Of a container it often has 64 MB, which is not enough for a server. */
const enoughBytes = 4 * 1024 ** 3;

/**
 * The folder for databases that need to survive nothing: in memory where the system offers enough of it, because a database is hundreds of
 * small files, and a busy disk takes half a second to make them.
 */
export function volatileFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    accessSync(memory, constants.W_OK);
    return bavail * bsize >= enoughBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
