import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

const folder = join(import.meta.dir, 'results');

/** The latest figures of each section, by its name, and where each was measured. */
export interface Results {
  readonly [section: string]: { readonly machine: string; readonly figures: unknown } | undefined;
}

export const resultsPath = join(folder, 'bench.json');

/** What has been measured before; empty where nothing has. */
export async function readResults(): Promise<Results> {
  const file = Bun.file(resultsPath);
  return (await file.exists()) ? await file.json() : {};
}

/** Keeps a section's figures beside those that other sections came to before. */
export async function keepFigures(section: string, machine: string, figures: unknown): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Bun.write(resultsPath, JSON.stringify({ ...(await readResults()), [section]: { machine, figures } }, null, 2));
}
