import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadKind } from '../../packages/recto/src/database/database.ts';
import { onPostgres } from '../support/database/database.ts';
import { TestService } from '../support/service.ts';

// On SQLite, what may take long is read in threads, and written in slices. The answers are the same either way.

const definitions = [
  {
    singular: 'item',
    plural: 'items',
    protocols: ['metaable', 'timestampable', 'nestable'],
    fields: [
      { name: 'name', field_type: 'text', required: true },
      { name: 'body', field_type: 'richtext' },
      { name: 'bigint', field_type: 'bigint' },
      { name: 'decimal', field_type: 'decimal' },
      { name: 'float', field_type: 'float' },
      { name: 'flag', field_type: 'boolean' },
      { name: 'json', field_type: 'json' },
      { name: 'day', field_type: 'date' },
      { name: 'maker', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'makers' } },
      { name: 'friends', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'items' } },
    ],
    api: {
      list: { filter: 'flag != true || @request.query.all = "yes"', filter_auth: 'name ~ "item 1%"' },
      get: { cache: true },
      create: { access: 'public' },
      update: { access: 'public' },
      delete: { access: 'public' },
    },
  },
  {
    singular: 'maker',
    plural: 'makers',
    fields: [{ name: 'name', field_type: 'text' }],
    api: { list: { cache: true } },
  },
];

const words = ['paper', 'press', 'page', 'ink', 'Größe', '日本', "o'clock"];

async function fill(service: TestService): Promise<void> {
  const makers = [await service.seed('makers', { name: 'one' }), await service.seed('makers', { name: 'two' })];
  const friends: string[] = [];
  for (let number = 0; number < 30; number += 1) {
    const { id } = await service.seed('items', {
      name: `item ${number}`,
      body: `<p>${words[number % words.length]} ${words[(number * 3) % words.length]}</p>`,
      bigint: String(9_007_199_254_740_993n * BigInt(number - 15)),
      decimal: `${number - 7}.${number}0001`,
      float: number / 7,
      flag: number % 5 === 0 ? null : number % 2 === 0,
      json: { deep: [number, null, 'x'], text: 'ü' },
      day: `2026-01-${String((number % 28) + 1).padStart(2, '0')}`,
      maker: makers[number % 3]?.id ?? null,
      friends: friends.slice(-3),
      __meta: { number },
    });
    friends.push(id);
  }
}

const requests: readonly string[] = [
  '/cms/items',
  '/cms/items?page=2&page_size=7',
  '/cms/items?page=900&page_size=100',
  '/cms/items?skip_total=true',
  '/cms/items?sort=bigint:asc',
  '/cms/items?sort=decimal:desc,name:asc&page_size=5&page=3',
  '/cms/items?sort=float:desc&include=maker,friends,friends.maker',
  '/cms/items?bigint=-9007199254740993',
  '/cms/items?decimal=2.90001',
  '/cms/items?day=2026-01-09&all=yes',
  '/cms/items?all=yes&include=maker',
  '/cms/items?__meta.number=8&all=yes',
  '/cms/items?search=pa',
  '/cms/items?search=gr%C3%B6&sort=name:desc&all=yes',
  '/cms/items?search=o%27clock&all=yes&page_size=3',
  '/cms/items?search=nowhere',
  '/cms/items?search=%22%20OR%20*',
  '/cms/items?sort=nonsense',
  '/cms/items?page=0',
  '/cms/makers',
  '/cms/makers?name=two',
  '/posts',
  '/pages/sitemap',
  '/posts/nothing/comments',
];

const asAdmin: readonly string[] = ['/admin/cms/items', '/admin/cms/items?search=ink&include=friends', '/admin/pages'];

describe.skipIf(onPostgres)('through threads', () => {
  let inline: TestService;
  let threads: TestService;

  beforeAll(async () => {
    inline = await TestService.open(definitions, { builtIn: true });
    await fill(inline);
    const { location } = inline.database;
    threads = await TestService.open(definitions, { builtIn: true, database: { location, onlyThreads: true } });
    await Promise.all([inline.account('inline-editor', 'editor'), threads.account('thread-editor', 'editor')]);
  });

  afterAll(async () => {
    await threads[Symbol.asyncDispose]();
    await inline[Symbol.asyncDispose]();
  });

  /** Both answers, apart from what differs with each request. */
  async function both(path: string, editor: boolean): Promise<readonly [here: object, there: object]> {
    const ask = async (service: TestService, as: string) => {
      const { status, json, headers } = await service.send(`GET /api/v1${path}`, editor ? { as } : {});
      const { next_cursor, request_id, ...rest } = json;
      return {
        status,
        rest,
        hasNext: next_cursor !== undefined,
        etag: next_cursor === undefined && headers.get('etag'),
      };
    };
    return [await ask(inline, 'inline-editor'), await ask(threads, 'thread-editor')];
  }

  test.each([...requests])('%s: the same as without', async (path) => {
    for (const editor of [false, true]) {
      const [here, there] = await both(path, editor);
      expect(there).toEqual(here);
    }
  });

  test.each([...asAdmin])('%s: the same as without', async (path) => {
    const [here, there] = await both(path, true);
    expect(there).toEqual(here);
  });

  test('single records, with what is included, and trees', async () => {
    const { json } = await inline.send('GET /api/v1/cms/items?sort=name:desc&page_size=3&all=yes');
    for (const { id } of json.items) {
      for (const more of ['', '?include=maker,friends', '/subtree', '/ancestors']) {
        const [here, there] = await both(`/cms/items/${id}${more}`, false);
        expect(there).toEqual(here);
      }
    }
  });

  test('a list is gone through by cursors to its end', async () => {
    const names: string[] = [];
    for (let cursor = ''; ; ) {
      const { json } = await threads.send(`GET /api/v1/cms/items?all=yes&sort=decimal:asc&page_size=7${cursor}`);
      names.push(...json.items.map(({ name }: { name: string }) => name));
      if (json.next_cursor === undefined) break;
      cursor = `&cursor=${json.next_cursor}`;
    }
    expect(new Set(names).size).toBe(30);
    expect(names).toHaveLength(30);
  });
});

describe('a filter through relations', () => {
  // One comparison can cost the product of two tables, whose records are few enough for a small file.
  const filters = [
    'maker.name = "one"',
    'maker.name ~ "%x%" || name = "y"',
    'friends.name ?= "item 1"',
    'friends.friends.name ?~ "%x%" || flag',
    'friends.name ?= name',
    'friends:length > 2',
    'friends:isset',
  ];

  test('is read where no other request waits for it', async () => {
    await using service = await TestService.open(definitions);
    await service.account('ed', 'editor');
    const { database } = service;
    const reader = database.reader.bind(database);
    let kinds: (ReadKind | undefined)[] = [];
    database.reader = (names, kind) => {
      kinds.push(kind);
      return reader(names, kind);
    };
    for (const filter of filters) {
      for (const place of ['cms/items', 'cms/items/aggregate', 'admin/cms/items', 'admin/cms/items/aggregate']) {
        kinds = [];
        const { status } = await service.send(`GET /api/v1/${place}?filter=${encodeURIComponent(filter)}`, {
          as: 'ed',
        });
        expect([filter, place, status, ...new Set(kinds)]).toEqual([filter, place, 200, 'related']);
      }
    }
    kinds = [];
    await service.send(`GET /api/v1/cms/items?filter=${encodeURIComponent('name = "x"')}`);
    expect([...new Set(kinds)]).toEqual(['records']);
  });

  test('that selects the records of a batch is too, where the batch is a job', async () => {
    await using service = await TestService.open(definitions);
    await service.account('ed', 'editor');
    const name = 'one of many';
    for (let made = 0; made < 1_001; made += 143) {
      await Promise.all(Array.from({ length: 143 }, () => service.seed('makers', { name })));
    }
    const { database } = service;
    const reader = database.reader.bind(database);
    const kinds: (ReadKind | undefined)[] = [];
    database.reader = (names, kind) => {
      if (names.includes('maker')) kinds.push(kind);
      return reader(names, kind);
    };
    const body = { action: 'update', filter: `name ~ "%many"`, set: { name: 'another' } };
    const sent = await service.send('POST /api/v1/admin/cms/makers/batch', { as: 'ed', body });
    expect(sent.status).toBe(202);
    await service.runJobs();
    const { json } = await service.send(`GET /api/v1/admin/jobs/${sent.json.job}`, { as: 'ed' });
    expect([json.state, json.result.affected]).toEqual(['done', 1_001]);
    // The count, ten hundreds, the last one, and that there is no more.
    expect(kinds).toEqual(Array.from({ length: 13 }, () => 'search'));
  }, 600_000);
});

describe.skipIf(onPostgres)('what was written', () => {
  test('is in the next answer, by whichever way it was written', async () => {
    await using service = await TestService.open(definitions, { database: { onlyThreads: true } });
    await using other = await TestService.open(definitions, { database: { location: service.database.location } });
    const total = async (): Promise<number> => (await service.send('GET /api/v1/cms/items?search=fresh')).json.total;
    for (let round = 0; round < 20; round += 1) {
      const writer = round % 2 === 0 ? service : other;
      const made = await writer.send('POST /api/v1/cms/items', { body: { name: `fresh ${round}` } });
      expect([made.status, await total()]).toEqual([201, 1]);
      const path = `/api/v1/cms/items/${made.json.id}`;
      expect((await service.send(`GET ${path}`)).json.name).toBe(`fresh ${round}`);
      await writer.send(`PUT ${path}`, { body: { name: `stale ${round}` } });
      expect((await service.send(`GET ${path}`)).json.name).toBe(`stale ${round}`);
      expect(await total()).toBe(0);
      await writer.send(`DELETE ${path}`);
      expect((await service.send(`GET ${path}`)).status).toBe(404);
    }
  });

  test('is in every answer that is asked for afterwards, with many readers and writers at once', async () => {
    await using service = await TestService.open(definitions, { database: { onlyThreads: true } });
    await service.account('writer', 'admin');
    let stored = 0;
    const write = async (): Promise<void> => {
      for (let round = 0; round < 15; round += 1) {
        expect((await service.send('POST /api/v1/cms/makers', { as: 'writer', body: {} })).status).toBe(201);
        stored += 1;
      }
    };
    const read = async (): Promise<void> => {
      while (stored < 45) {
        const least = stored;
        // What is remembered is answered without a turn of the event loop, in which the writers would go on.
        await nextTurn();
        const { json } = await service.send('GET /api/v1/cms/makers?page_size=100');
        expect(json.total).toBeGreaterThanOrEqual(least);
        expect(json.items.length).toBeGreaterThanOrEqual(least);
      }
    };
    await Promise.all([write(), write(), write(), read(), read()]);
  });
});

/** Items enough for a list without index to take a while; by the statement, since by requests it takes too long. */
const many = `INSERT INTO "cms_item" ("id", "name", "body", "created_at", "updated_at", "depth")
  WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 40000)
  SELECT printf('01990000-0000-7000-8000-%012d', x), printf('item %d', x), hex(randomblob(150)), '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 0 FROM n`;

describe.skipIf(onPostgres)('a list that takes long', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.open(definitions);
    await service.database.transaction(async (transaction) => {
      await transaction.run({ sql: many, parameters: [] });
      transaction.touch('item');
    });
  });

  afterAll(() => service[Symbol.asyncDispose]());

  test('does not hold up who asks for a record after it', async () => {
    const order: string[] = [];
    const list = service.send('GET /api/v1/cms/items?sort=body:desc&page=300&page_size=100').then((reply) => {
      order.push('list');
      return reply;
    });
    for (const number of [1, 20_000, 39_999]) {
      const id = `01990000-0000-7000-8000-${String(number).padStart(12, '0')}`;
      const { json } = await service.send(`GET /api/v1/cms/items/${id}`);
      order.push(json.name);
    }
    expect(await list).toMatchObject({ status: 200, json: { total: 40_000, page: 300 } });
    expect(order).toEqual(['item 1', 'item 20000', 'item 39999', 'list']);
  });

  test('is rejected when the database is closed meanwhile, like those that wait', async () => {
    const lists = ['body', 'name', 'decimal', 'float'].map((field) =>
      service.send(`GET /api/v1/cms/items?sort=${field}:desc&page=300&page_size=100`),
    );
    await service.database.close();
    for (const { status, json } of await Promise.all(lists)) {
      expect({ status, code: json.code }).toEqual({ status: 503, code: 'shutting_down' });
    }
  });
});

/** So many comments of a post, by the statement. */
const comments = `INSERT INTO "cms_comment" ("id", "post_id", "content", "status", "created_at", "updated_at")
  WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1500)
  SELECT printf('01990000-0000-7000-8000-%012d', x), ?, 'word', 'Approved', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
    FROM n`;

test.skipIf(onPostgres)('a write that takes long does not hold up who asks for a record after it', async () => {
  await using service = await TestService.open(definitions, { builtIn: true });
  const maker = await service.seed('makers', { name: 'somebody' });
  const post = await service.seed('posts', { title: 'Discussed', status: 'Published' });
  await service.account('boss', 'admin');
  await service.database.transaction(async (transaction) => {
    await transaction.run({ sql: comments, parameters: [post.id] });
    transaction.touch('comment');
  });
  const order: string[] = [];
  const removal = service.send(`DELETE /api/v1/admin/posts/${post.id}`, { as: 'boss' }).then(({ status }) => {
    order.push(`removed: ${status}`);
  });
  for (let time = 0; time < 5; time += 1) {
    // Each in a turn of its own, as requests come in.
    await nextTurn();
    expect((await service.send(`GET /api/v1/cms/makers/${maker.id}`)).status).toBe(200);
    expect((await service.send(`GET /api/v1/posts/${post.slug}`)).status).toBe(200);
    order.push('answered');
  }
  await removal;
  expect(order).toEqual([...Array<string>(5).fill('answered'), 'removed: 204']);
  expect((await service.send(`GET /api/v1/posts/${post.slug}`)).status).toBe(404);
  expect(
    await service.database.first<{ n: number }>({ sql: 'SELECT count(*) AS n FROM "cms_comment"', parameters: [] }),
  ).toEqual({ n: 0 });
});
