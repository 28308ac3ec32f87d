import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { article, author, topic } from './content.ts';
import { type Comparison, compare, type RoundOptions } from './paired-rounds.ts';
import { prepareRecto } from './recto-server.ts';

const body = JSON.stringify({ title: 'A new article', summary: 'About it. '.repeat(10), reads: 1, featured: true });

/** Compares creates of a service with an empty folder of hooks and of one without: what hooks cost where there are none. */
export async function measureHooks(
  _: number,
  options: RoundOptions,
  keep: (figures: readonly Comparison[]) => Promise<void>,
): Promise<readonly Comparison[]> {
  const types = [author, topic, article];
  await using prepared = await prepareRecto(types);
  await using preparedWithout = await prepareRecto(types);
  const hooks = join(prepared.folder, 'hooks');
  await mkdir(hooks);
  await using server = await prepared.start({ RECTO_HOOKS_DIR: hooks });
  await using without = await preparedWithout.start();
  const path = '/api/v1/cms/articles';
  const operation = 'create, with an empty folder of hooks against none';
  const figures = [await compare(operation, 0.99, { server, path, body }, { server: without, path, body }, options)];
  await keep(figures);
  return figures;
}
