import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

export const resultsFolder = join(import.meta.dir, 'results');

/** The latest figures of each section, by its name, and where each was measured. */
export interface Results {
  readonly [section: string]: { readonly machine: string; readonly figures: unknown } | undefined;
}

/** Quick runs have a file of their own, so that they do not replace the figures of a full run. */
export const resultsPath = (quick: boolean): string => join(resultsFolder, quick ? 'quick.json' : 'bench.json');

/** The stored figures; empty where there are none. */
export async function readResults(path: string): Promise<Results> {
  const file = Bun.file(path);
  return (await file.exists()) ? await file.json() : {};
}

/** Stores a section's figures and keeps those of other sections. */
export async function keepFigures(path: string, section: string, machine: string, figures: unknown): Promise<void> {
  await mkdir(resultsFolder, { recursive: true });
  const results = { ...(await readResults(path)), [section]: { machine, figures } };
  // Written atomically, so that an interrupted run leaves no partial file.
  await Bun.write(`${path}.new`, JSON.stringify(results, null, 2));
  await rename(`${path}.new`, path);
}
