import { parseArgs } from 'node:util';
import { TestService } from '../test/support/service.ts';
import { article, articleOf, author, topic } from './content.ts';
import { median } from './paired-rounds.ts';
import { manyTypes } from './starting.ts';

/*
 * What roles of one's own cost: `npx bun bench/roles.ts [--rounds 21]`, in process, on the SQLite database of the tests.
 *
 * - an editor's list of 20 articles where the service has ten roles, over the same where it has none;
 * - the list of a role whose rule decides by record, over the editor's;
 * - `GET /auth/me/permissions` for 100 types.
 *
 * Two are asked in turn, round by round, and what is compared is the processor time of a request, which other work on the machine
 * changes least.
 */

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '21' } } });
const rounds = Number(values.rounds);
const requests = 200;
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

/** Microseconds of processor time that a request takes. The address differs from one to the next, so that no answer is remembered. */
async function processorTime(service: TestService, as: string, path: (number: number) => string): Promise<number> {
  const headers = { Authorization: `Bearer ${service.tokenOf(as)}` };
  const begin = process.cpuUsage();
  for (let number = 0; number < requests; number += 1) {
    const response = await service.app.fetch(new Request(`http://recto.test${path(number)}`, { headers }));
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path(number)} as ${as}: ${response.status}`);
  }
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / requests;
}

interface Side {
  readonly service: TestService;
  readonly as: string;
}

const list = (number: number): string => `/api/v1/admin/cms/articles?page=${1 + (number % 3)}&sort=reads:desc`;

/** How many of the second's requests the first answers in the same time: the median of the rounds, after one that does not count. */
async function ratio(one: Side, other: Side): Promise<{ readonly ratio: number; readonly microseconds: number }> {
  const time = ({ service, as }: Side): Promise<number> => processorTime(service, as, list);
  const ratios: number[] = [];
  const own: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    // Who is first changes.
    const [a, b] =
      round % 2 === 0 ? [await time(one), await time(other)] : [await time(other), await time(one)].reverse();
    if (round === 0 || a === undefined || b === undefined) continue;
    ratios.push(b / a);
    own.push(a);
  }
  return { ratio: median(ratios), microseconds: median(own) };
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const shown = ({ ratio: of, microseconds }: Awaited<ReturnType<typeof ratio>>): string =>
  `${of.toFixed(2)} (${microseconds.toFixed(0)} µs of processor time)`;

{
  await using without = await filled([]);
  await using withRoles = await filled(roles);
  await withRoles.account('will', 'writer-3');
  const editor = { service: withRoles, as: 'eve' };
  print(`editor, ten roles over none:   ${shown(await ratio(editor, { service: without, as: 'eve' }))}`);
  print(`ruled role over editor:        ${shown(await ratio({ service: withRoles, as: 'will' }, editor))}`);
}
{
  await using many = await TestService.open(manyTypes(100, 20), {
    roles: [{ name: 'writer', types: { '*': { list: true, get: 'status = "published"', update: true } } }],
  });
  await many.account('will', 'writer');
  const permissions = (): Promise<number> => processorTime(many, 'will', () => '/api/v1/auth/me/permissions');
  await permissions();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await permissions());
  print(`permissions for 100 types:     ${(median(times) / 1000).toFixed(2)} ms of processor time`);
}
