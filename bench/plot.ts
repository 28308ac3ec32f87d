import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { drawPlots } from './plots/index.ts';
import { readResults } from './results-file.ts';

// bun bench/plot.ts: draws what was measured last into docs/plots/.

const folder = join(import.meta.dir, '../docs/plots');

/** Draws the stored figures; tells the files. */
export async function plotResults(): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const plots = drawPlots(await readResults());
  for (const { file, svg } of plots) await Bun.write(join(folder, file), svg);
  return plots.map(({ file }) => relative(process.cwd(), join(folder, file)));
}

if (import.meta.main) {
  const files = await plotResults();
  process.stdout.write(`${files.length === 0 ? 'Nothing has been measured yet.' : files.join('\n')}\n`);
}
