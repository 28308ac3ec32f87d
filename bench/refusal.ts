import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { postgresMissing } from './postgres-server.ts';
import type { Section } from './section.ts';

/** Why the sections cannot be run here; undefined where they can. */
export async function refusalOf(sections: readonly Section[], quick: boolean): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'The benchmark reads memory and processor time from /proc: it needs Linux.';
  const missing = sections.some(({ needs }) => needs?.postgres) ? postgresMissing() : undefined;
  if (missing !== undefined) return missing;
  const { bavail, bsize } = await statfs(tmpdir());
  const free = (bavail * bsize) / 2 ** 30;
  const wanted = quick ? 1 : Math.max(1, ...sections.map(({ needs }) => needs?.gibibytes ?? 0));
  if (free >= wanted) return undefined;
  return `${tmpdir()} has ${free.toFixed(1)} GiB left, and ${wanted} GiB are needed. TMPDIR names another folder.`;
}
