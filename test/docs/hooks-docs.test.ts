import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodeFolder } from '../support/code-folder.ts';
import { projectRoot, readDocument } from '../support/documents.ts';
import { magazine } from '../support/magazine.ts';
import { type Reply, TestService } from '../support/service.ts';

// The code on docs/hooks.md is that of the example magazine, and does what the page says.

const root = join(projectRoot, 'examples/magazine');
const programs = new Map(
  readDocument('docs/hooks.md').blocks.flatMap(({ info, text }): [string, string][] => {
    const file = info.find((word) => word.startsWith('code='))?.slice('code='.length);
    return file === undefined ? [] : [[file, text]];
  }),
);

test('the page shows the files of the example, each of at most ten lines of code', () => {
  const files = ['hooks', 'routes', 'jobs'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  expect([...programs.keys()].toSorted()).toEqual(files.toSorted());
  for (const [file, text] of programs) {
    expect(text).toBe(readFileSync(join(root, file), 'utf8'));
    const code = text.split('\n').filter((line) => line !== '' && !line.startsWith('import'));
    expect(code.length).toBeLessThanOrEqual(10);
  }
});

describe('the example', () => {
  let service: TestService;
  let folder: CodeFolder;
  let calls: string[];
  let site: Bun.Server<undefined>;
  let now = Date.now();
  beforeAll(async () => {
    calls = [];
    site = Bun.serve({
      port: 0,
      fetch(request) {
        calls.push(request.headers.get('idempotency-key') ?? '');
        return new Response(null, { status: calls.length === 1 ? 503 : 204 });
      },
    });
    // Threads have the environment of the process.
    process.env.REBUILD_URL = site.url.href;
    folder = new CodeFolder(Object.fromEntries(programs));
    service = await TestService.open(await magazine(), { code: folder.path, builtIn: true, now: () => now });
    await service.account('ada', 'admin');
  });
  afterAll(async () => {
    delete process.env.REBUILD_URL;
    await service[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
    await site.stop(true);
  });

  const create = (body: object): Promise<Reply> => service.send('POST /api/v1/admin/cms/articles', { as: 'ada', body });

  test('derives a summary, where there is none', async () => {
    const body = '<p>Margins are <b>generous</b>.</p>';
    expect((await create({ title: 'Derived', body })).json.summary).toStartWith('Margins are generous');
    expect((await create({ title: 'Own', body, summary: 'Mine' })).json.summary).toBe('Mine');
  });

  test('calls the site after each change, again where that fails, under the same key', async () => {
    await service.runJobs();
    now += 3_600_000;
    await service.runJobs();
    expect(calls).toHaveLength(3);
    expect([calls[0] === calls[1], calls[1] === calls[2]]).toEqual([true, false]);
  });

  test('features at most three articles, of which the nightly job removes old ones', async () => {
    const old = { featured: true, status: 'published', published_at: '2020-01-01T00:00:00.000Z' };
    const made = [
      await create({ title: 'A', ...old }),
      await create({ title: 'B', ...old }),
      await create({ title: 'C', ...old }),
    ];
    const fourth = await create({ title: 'D', featured: true });
    expect([fourth.status, fourth.json.errors]).toEqual([
      422,
      [{ field: 'featured', code: 'too_many', message: 'At most 3 articles are featured.' }],
    ]);
    const [first] = made;
    const again = { as: 'ada', body: { title: 'A again' } };
    expect((await service.send(`PUT /api/v1/admin/cms/articles/${first?.json.id}`, again)).status).toBe(200);
    now += 2 * 86_400_000;
    await service.runJobs();
    expect((await create({ title: 'D', featured: true })).status).toBe(201);
  });

  test('has an endpoint', async () => {
    const author = await service.seed('authors', { name: 'Ines', email: 'ines@example.com' });
    for (const title of ['One', 'Two']) await create({ title, status: 'published', author: author.id });
    await create({ title: 'Draft', author: author.id });
    const latest = async (search = '') =>
      (await service.send(`GET /api/v1/x/authors/${author.id}/latest${search}`)).json;
    expect((await latest()).map(({ title }: { title: string }) => title).toSorted()).toEqual(['One', 'Two']);
    expect(await latest('?count=1')).toHaveLength(1);
    expect(await latest('?count=11')).toMatchObject({ status: 400 });
  });
});
