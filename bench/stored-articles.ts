import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { article, author, topic, writeContent } from './content.ts';
import { logProgress } from './progress.ts';
import { prepareRecto, type Recto } from './recto-server.ts';
import { fixed, whole } from './table.ts';

/** The type of articles and its related types, and a data folder with a number of them, which is only copied from. */
export interface StoredArticles {
  readonly recto: Recto;
  readonly data: string;
}

let stored: { readonly recto: Recto; readonly folders: Map<number, string> } | undefined;

/** Created once for all sections of a run, and deleted with it. Each number of articles has its own database. */
export async function storedArticles(records: number): Promise<StoredArticles> {
  stored ??= { recto: await prepareRecto([author, topic, article]), folders: new Map() };
  const { recto, folders } = stored;
  const made = folders.get(records);
  if (made !== undefined) return { recto, data: made };
  const data = join(recto.folder, `data-${records}`);
  const files = join(recto.folder, 'export');
  logProgress(`importing ${whole(records)} articles into SQLite`);
  await writeContent(files, records);
  const seconds = await recto.import(files, { RECTO_DATA_DIR: data });
  await rm(files, { recursive: true });
  logProgress(`imported in ${fixed(seconds, 1)} s`);
  folders.set(records, data);
  return { recto, data };
}
