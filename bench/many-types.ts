import type { ChildServer } from './child-server.ts';
import { articleOf } from './content.ts';
import { type Comparison, compare, type RoundOptions } from './paired-rounds.ts';
import { logProgress } from './progress.ts';
import { prepareRecto, signIn } from './recto-server.ts';
import { manyTypes } from './starting.ts';

const records = 50;

/** Compares requests to a service with many types with the same requests to one with five. */
export async function measureManyTypes(
  types: number,
  fields: number,
  options: RoundOptions,
): Promise<readonly Comparison[]> {
  await using many = await prepareRecto(manyTypes(types, fields));
  await using few = await prepareRecto(manyTypes(5, fields));
  logProgress(`starting a service of ${types} types and one of 5`);
  await using ours = await many.start();
  await using limit = await few.start();
  const [id, limitId] = [await fill(ours), await fill(limit)];
  const one = (operation: string, path: string, limitPath = path, body?: string): Promise<Comparison> => {
    const sent = body === undefined ? {} : { body };
    return compare(
      operation,
      0.95,
      { server: ours, path, ...sent },
      { server: limit, path: limitPath, ...sent },
      options,
    );
  };
  const base = '/api/v1/cms';
  return [
    await one('cached list of 20', `${base}/things-2`),
    await one('uncached get', `${base}/things-1/${id}`, `${base}/things-1/${limitId}`),
    await one('create', `${base}/things-3`, undefined, JSON.stringify({ title: 'A new thing', reads: 1 })),
  ];
}

/** Creates some records of a type with a cache and of one without; returns the id of one of the latter. */
async function fill(server: ChildServer): Promise<string> {
  const headers = await signIn(server);
  let last = '';
  for (const type of ['things-2', 'things-1']) {
    for (let number = 0; number < records; number += 1) {
      const { title, summary, reads, rating, featured } = articleOf(number);
      const body = JSON.stringify({ title, summary, status: 'published', reads, rating, featured });
      const response = await fetch(`${server.url}/api/v1/admin/cms/${type}`, { method: 'POST', headers, body });
      last = ((await response.json()) as { id: string }).id;
    }
  }
  return last;
}
