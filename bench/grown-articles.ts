import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { article, author, topic, writeContent, writeMoreArticles } from './content.ts';
import { tell } from './progress.ts';
import { prepareRecto, type Recto } from './recto-server.ts';

/** The types of articles and what they refer to, and a data folder with so many of them, which is only ever copied from. */
export interface GrownArticles {
  readonly recto: Recto;
  readonly data: string;
}

interface Grown {
  readonly recto: Recto;
  readonly folders: Map<number, string>;
}

let grown: Grown | undefined;

/** Made once for all sections of a run, which takes it away in the end: each number from the greatest below it, by importing the rest. */
export async function grownArticles(records: number): Promise<GrownArticles> {
  grown ??= { recto: await prepareRecto([author, topic, article]), folders: new Map() };
  const { recto, folders } = grown;
  const made = folders.get(records);
  if (made !== undefined) return { recto, data: made };
  const data = join(recto.folder, `data-${records}`);
  const before = Math.max(0, ...[...folders.keys()].filter((number) => number < records));
  const files = join(recto.folder, 'export');
  if (before === 0) await writeContent(files, records);
  else await writeMoreArticles(files, records - before, before);
  const from = folders.get(before);
  if (from === undefined) await mkdir(data);
  else await cp(from, data, { recursive: true });
  tell(`importing ${(records - before).toLocaleString('en')} articles into SQLite`);
  const source = before === 0 ? files : join(files, 'articles.ndjson');
  const seconds = await recto.import(source, { RECTO_DATA_DIR: data });
  tell(`imported in ${seconds.toFixed(1)} s`);
  folders.set(records, data);
  return { recto, data };
}
