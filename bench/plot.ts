import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { drawPlots } from './plots/index.ts';
import { readResults, resultsFolder, resultsPath } from './results-file.ts';

// bun bench/plot.ts: draws what was measured last into docs/plots/.

/** Draws the stored figures: of full runs for the documentation, of quick ones beside the figures. Prints the files. */
export async function plotResults(quick: boolean): Promise<readonly string[]> {
  const folder = quick ? join(resultsFolder, 'plots') : join(import.meta.dir, '../docs/plots');
  await mkdir(folder, { recursive: true });
  const plots = drawPlots(await readResults(resultsPath(quick)));
  for (const { file, svg } of plots) await Bun.write(join(folder, file), svg);
  return plots.map(({ file }) => relative(process.cwd(), join(folder, file)));
}

if (import.meta.main) {
  const files = await plotResults(false);
  process.stdout.write(`${files.length === 0 ? 'Nothing has been measured yet.' : files.join('\n')}\n`);
}
