import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

export const resultsFolder = join(import.meta.dir, 'results');

/** The latest figures of each section, by its name, and where each was measured. */
export interface Results {
  readonly [section: string]: { readonly machine: string; readonly figures: unknown } | undefined;
}

/** Figures of a quick run are for whoever runs it: they do not replace those of a whole one. */
export const resultsPath = (quick: boolean): string => join(resultsFolder, quick ? 'quick.json' : 'bench.json');

/** What has been measured before; empty where nothing has. */
export async function readResults(path: string): Promise<Results> {
  const file = Bun.file(path);
  return (await file.exists()) ? await file.json() : {};
}

/** Keeps a section's figures beside those that other sections came to before. */
export async function keepFigures(path: string, section: string, machine: string, figures: unknown): Promise<void> {
  await mkdir(resultsFolder, { recursive: true });
  const results = { ...(await readResults(path)), [section]: { machine, figures } };
  // Never half a file, whatever ends this process.
  await Bun.write(`${path}.new`, JSON.stringify(results, null, 2));
  await rename(`${path}.new`, path);
}
