import { join } from 'node:path';
import { parse } from 'smol-toml';

const folder = join(import.meta.dir, '../../examples/magazine/content-types');

/** The example definitions that the product ships with, as plain objects. */
export async function magazine(): Promise<readonly unknown[]> {
  const names = ['article', 'author', 'topic', 'site-settings'];
  return Promise.all(names.map(async (name) => parse(await Bun.file(join(folder, `${name}.toml`)).text())));
}
