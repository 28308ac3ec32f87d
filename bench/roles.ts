import { parseArgs } from 'node:util';
import { TestService } from '../test/support/service.ts';
import { article, articleOf, author, topic } from './content.ts';
import { print, processorTime, ratio, shown } from './in-process.ts';
import { median } from './paired-rounds.ts';
import { manyTypes } from './starting.ts';

/*
 * What roles of one's own cost: `npx bun bench/roles.ts [--rounds 21]`, in process, on the SQLite database of the tests.
 *
 * - an editor's list of 20 articles where the service has ten roles, over the same where it has none;
 * - the list of a role whose rule decides by record, over the editor's;
 * - `GET /auth/me/permissions` for 100 types.
 */

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '21' } } });
const rounds = Number(values.rounds);
const records = 1_000;

const owned = { ...article, protocols: ['timestampable', 'ownable'] };
const types = [owned, author, topic];
const rule = 'created_by = @request.auth.id || status = "published"';
const rights = { list: rule, get: rule, create: true, update: rule };
const roleNames = Array.from({ length: 10 }, (_, number) => `writer-${number}`);
const roles = roleNames.map((name) => ({
  name,
  types: { article: { ...rights, read: { except: ['rating'] } }, '*': { list: true, get: true } },
}));

async function filled(given: readonly unknown[]): Promise<TestService> {
  const service = await TestService.open(types, { roles: given });
  for (let number = 0; number < records; number += 1) {
    const { title, summary, reads, rating, featured } = articleOf(number);
    await service.seed('articles', { title, summary, reads, rating, featured, status: 'published' });
  }
  await service.account('eve', 'editor');
  return service;
}

const list = (number: number): string => `/api/v1/admin/cms/articles?page=${1 + (number % 3)}&sort=reads:desc`;

{
  await using without = await filled([]);
  await using withRoles = await filled(roles);
  await withRoles.account('will', 'writer-3');
  const editor = { service: withRoles, as: 'eve', path: list };
  const before = { service: without, as: 'eve', path: list };
  print(`editor, ten roles over none:   ${shown(await ratio(editor, before, rounds))}`);
  print(`ruled role over editor:        ${shown(await ratio({ ...editor, as: 'will' }, editor, rounds))}`);
}
{
  await using many = await TestService.open(manyTypes(100, 20), {
    roles: [{ name: 'writer', types: { '*': { list: true, get: 'status = "published"', update: true } } }],
  });
  await many.account('will', 'writer');
  const permissions = (): Promise<number> =>
    processorTime({ service: many, as: 'will', path: () => '/api/v1/auth/me/permissions' });
  await permissions();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await permissions());
  print(`permissions for 100 types:     ${(median(times) / 1000).toFixed(2)} ms of processor time`);
}
