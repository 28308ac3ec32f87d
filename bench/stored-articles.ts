import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { article, author, topic, writeContent } from './content.ts';
import { tell } from './progress.ts';
import { prepareRecto, type Recto } from './recto-server.ts';
import { fixed, whole } from './table.ts';

/** The types of articles and what they refer to, and a data folder with so many of them, which is only ever copied from. */
export interface StoredArticles {
  readonly recto: Recto;
  readonly data: string;
}

let stored: { readonly recto: Recto; readonly folders: Map<number, string> } | undefined;

/** Made once for all sections of a run, and gone with it. Each number is imported into a database of its own. */
export async function storedArticles(records: number): Promise<StoredArticles> {
  stored ??= { recto: await prepareRecto([author, topic, article]), folders: new Map() };
  const { recto, folders } = stored;
  const made = folders.get(records);
  if (made !== undefined) return { recto, data: made };
  const data = join(recto.folder, `data-${records}`);
  const files = join(recto.folder, 'export');
  tell(`importing ${whole(records)} articles into SQLite`);
  await writeContent(files, records);
  const seconds = await recto.import(files, { RECTO_DATA_DIR: data });
  await rm(files, { recursive: true });
  tell(`imported in ${fixed(seconds, 1)} s`);
  folders.set(records, data);
  return { recto, data };
}
