import { afterEach, describe, expect, test } from 'bun:test';
import { basename, join } from 'node:path';
import { CodeFolder } from '../../support/code-folder.ts';
import { becomes } from '../../support/database/database.ts';
import { runCommand } from '../../support/processes/run-command.ts';
import { type ServiceOptions, TestService } from '../../support/service.ts';

// Routes and scheduled jobs of a deployment.

const note = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text', required: true }],
  api: {
    list: { access: 'public', filter: 'title != "hidden"' },
    get: { access: 'public' },
    create: { access: 'member' },
  },
};

let service: TestService;
let folder: CodeFolder;
let lines: string[];
let now: number;
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function open(files: Readonly<Record<string, string>>, options: ServiceOptions = {}): Promise<void> {
  lines = [];
  now = Date.now();
  folder = new CodeFolder(files);
  service = await TestService.open([note], {
    ...{ code: folder.path, now: () => now, log: (line) => void lines.push(line) },
    // What the routes of these tests throw.
    expectedErrors: [/"type":"HookError"/, /"code":"handler_timeout"/],
    ...options,
  });
  await service.account('ada', 'admin');
  await service.account('mia', 'member');
}

const route = (options: string): string => `import { Problem, route, Type } from 'recto';
export default route({ ${options} });`;
const get = (path: string, as?: string) => service.send(`GET /api/v1/x${path}`, as === undefined ? {} : { as });
const log = (): string => lines.join('');

describe('a route', () => {
  test('has its parameters, query, body and caller, and answers what it returns', async () => {
    await open({
      'routes/echo.ts': route(`method: 'POST', path: '/echo/{place}', access: 'public', summary: 'Echo',
        query: Type.Object({ times: Type.Integer({ minimum: 1, maximum: 9, default: 2 }) }),
        body: Type.Object({ text: Type.String({ maxLength: 5 }) }, { additionalProperties: false }),
        response: Type.Object({ said: Type.String() }),
        handler: ({ params, query, body, caller }) => ({ said: body.text.repeat(query.times), params, role: caller.role })`),
    });
    const post = (path: string, body: unknown, as?: string) =>
      service.send(`POST /api/v1/x${path}`, { body, ...(as === undefined ? {} : { as }) });
    const made = await post('/echo/here', { text: 'ab' }, 'mia');
    expect([made.status, made.json]).toEqual([200, { said: 'abab', params: { place: 'here' }, role: 'member' }]);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect((await post('/echo/a%20b?times=3', { text: 'c' })).json).toMatchObject({
      said: 'ccc',
      params: { place: 'a b' },
    });
    expect((await post('/echo/here?times=10', { text: 'ab' })).status).toBe(400);
    expect((await post('/echo/here?other=1', { text: 'ab' })).status).toBe(400);
    const wrong = await post('/echo/here', { text: 'too long' });
    expect([wrong.status, wrong.json.errors[0].field]).toEqual([422, 'text']);
    expect((await post('/echo/here', '{')).status).toBe(400);
    expect((await post('/echo/here', { text: 'x'.repeat(2_000_000) })).status).toBe(413);
    expect((await get('/echo/here')).status).toBe(405);
    const { paths } = (await service.send('GET /api/v1/openapi.json')).json;
    const { post: documented } = paths['/api/v1/x/echo/{place}'];
    expect([documented.operationId, documented.summary, documented.tags]).toEqual(['customEcho', 'Echo', ['custom']]);
    expect(Object.keys(documented.responses).toSorted()).toEqual([
      '200',
      '204',
      '400',
      '401',
      '413',
      '415',
      '422',
      '500',
      '503',
    ]);
  });

  test('lets in whom its access names', async () => {
    const handler = 'handler: ({ caller }) => caller.role';
    await open({
      'routes/all.ts': route(`method: 'GET', path: '/all', access: 'public', ${handler}`),
      'routes/some.ts': route(`method: 'GET', path: '/some', access: 'member', ${handler}`),
      'routes/few.ts': route(`method: 'GET', path: '/few', access: 'admin', ${handler}`),
    });
    const statuses = async (as?: string) =>
      Promise.all(['/all', '/some', '/few'].map(async (path) => (await get(path, as)).status));
    expect(await statuses()).toEqual([204, 401, 401]);
    expect(await statuses('mia')).toEqual([200, 200, 403]);
    expect(await statuses('ada')).toEqual([200, 200, 200]);
  });

  test('acts as its caller, and passes on what the content answers', async () => {
    await open({
      'routes/notes.ts': route(`method: 'GET', path: '/notes', access: 'public',
        handler: async ({ db }) => [(await db.notes.list()).total, (await db.asSystem().notes.list()).total]`),
      'routes/make.ts': route(`method: 'POST', path: '/make', access: 'public', body: Type.Object({}),
        handler: ({ db, body }) => db.notes.create(body)`),
      'routes/gone.ts': route(`method: 'GET', path: '/gone', access: 'public',
        handler: () => { throw new Problem(404, 'no_quote', 'There is no quote.'); }`),
    });
    await service.seed('notes', { title: 'hidden' });
    await service.seed('notes', { title: 'seen' });
    expect((await get('/notes')).json).toEqual([1, 2]);
    const make = (body: object, as?: string) => service.send('POST /api/v1/x/make', { body, ...(as ? { as } : {}) });
    expect([(await make({ title: 'A' })).status, (await make({ title: 'A' }, 'mia')).status]).toEqual([401, 200]);
    expect((await make({}, 'mia')).json).toMatchObject({ code: 'validation_failed', errors: [{ field: 'title' }] });
    expect((await get('/gone')).json).toMatchObject({ status: 404, code: 'no_quote', detail: 'There is no quote.' });
  });

  test('that fails is 500 without its reason; one that takes too long 503; others go on', async () => {
    await open({
      'routes/throws.ts': route(
        `method: 'GET', path: '/throws', access: 'public', handler: () => { throw new Error('a flat battery'); }`,
      ),
      'routes/loops.ts': route(
        `method: 'GET', path: '/loops', access: 'public', timeout: 0.3, handler: () => { for (;;) {} }`,
      ),
      'routes/json.ts': route(`method: 'GET', path: '/json', access: 'public', handler: () => 1n`),
      'routes/fine.ts': route(`method: 'GET', path: '/fine', access: 'public', handler: () => ({ ok: true })`),
    });
    const thrown = await get('/throws');
    expect([thrown.status, thrown.text.includes('a flat battery')]).toEqual([500, false]);
    expect(log()).toContain('a flat battery');
    expect((await get('/json')).status).toBe(500);
    // More than there are threads, and what waits for one runs in the end.
    const all = await Promise.all([...Array.from({ length: 6 }, () => get('/loops')), get('/fine'), get('/fine')]);
    expect(all.map(({ status }) => status).slice(0, 6)).toEqual([503, 503, 503, 503, 503, 503]);
    expect(log()).toContain('routes/loops.ts');
    expect((await get('/fine')).json).toEqual({ ok: true });
  });

  test('is not held up by what another one left behind in its thread', async () => {
    await open({
      'routes/leaves.ts': `import { appendFileSync, existsSync } from 'node:fs'; ${route(`method: 'GET', path: '/leaves', access: 'public',
        handler: () => { setTimeout(end, 0); return 1; }`)}
        function end() {
          appendFileSync(new URL('../left', import.meta.url), '.');
          while (!existsSync(new URL('../go', import.meta.url)));
          process.exit(3);
        }`,
      'routes/fine.ts': route(`method: 'GET', path: '/fine', access: 'public', handler: () => ({ ok: true })`),
    });
    const left = async () =>
      (
        await Bun.file(join(folder.path, 'left'))
          .text()
          .catch(() => '')
      ).length;
    expect((await get('/leaves')).status).toBe(200);
    await becomes(left, 1);
    // It is given to the same thread, which ends before it takes it.
    const fine = get('/fine');
    await Bun.sleep(50);
    folder.write('go', '');
    expect((await fine).json).toEqual({ ok: true });
    for (let call = 2; call <= 5; call += 1) {
      expect((await get('/leaves')).status).toBe(200);
      // The thread ends now, of which the process hears later.
      await becomes(left, call);
      expect((await get('/fine')).json).toEqual({ ok: true });
    }
    expect(log()).not.toContain('took more than');
  });

  test.each([
    ...['undefined', 'Symbol("s")', 'Object.create(null)', '() => 1', 'new Proxy({}, { get() { throw 1; } })'],
    ...[
      'Object.assign(new Error("e"), { message: Symbol("m"), stack: () => 1 })',
      'new Problem(200, "fine", "It is fine.")',
    ],
    ...['new Problem(1000, "odd", "Odd.")', 'new Problem("404", "odd", "Odd.")', 'new Problem(404, () => 1, "Odd.")'],
    ...[
      'new Problem(422, "odd", "Odd.", { errors: [null, 7] })',
      'new Problem(422, "odd", "Odd.", { errors: [{ field: 1 }] })',
    ],
  ])('that throws %s answers 500', async (thrown) => {
    await open({
      'routes/odd.ts': route(`method: 'GET', path: '/odd', access: 'public', handler: () => { throw ${thrown}; }`),
    });
    const reply = await get('/odd');
    expect([reply.status, reply.json.code]).toEqual([500, 'internal_error']);
    expect(log()).toContain('routes/odd.ts');
  });

  test('is limited for each caller', async () => {
    await open(
      {
        'routes/few.ts': route(
          `method: 'GET', path: '/few', access: 'public', limit: { calls: 2, seconds: 3600 }, handler: () => 1`,
        ),
      },
      { rateLimit: true },
    );
    const statuses = async (peer: string) => {
      const replies = [];
      for (let call = 0; call < 3; call += 1) replies.push(await service.send('GET /api/v1/x/few', { peer }));
      return replies.map(({ status }) => status);
    };
    expect(await statuses('192.0.2.1')).toEqual([200, 200, 429]);
    expect(await statuses('192.0.2.2')).toEqual([200, 200, 429]);
  });
});

test('routes that repeat a path, or a name in the OpenAPI document, are errors', async () => {
  const at = (path: string) => route(`method: 'GET', path: '${path}', access: 'public', handler() {}`);
  using code = new CodeFolder({
    'routes/a-b.ts': at('/one/{id}'),
    'routes/a_b.ts': at('/two'),
    'routes/c.ts': at('/one/{name}'),
  });
  const environment = { RECTO_HOOKS_DIR: join(code.path, 'hooks') };
  const { exitCode, out } = await runCommand(['check', '--files', '--json'], { environment });
  expect(exitCode).not.toBe(0);
  const faults: readonly { readonly file: string; readonly message: string }[] = JSON.parse(out).faults;
  expect(faults.map(({ file, message }) => [basename(file), message])).toEqual([
    ['a_b.ts', expect.stringMatching(/customAB, as that of .*a-b\.ts/)],
    ['c.ts', expect.stringMatching(/is the route of .*a-b\.ts/)],
  ]);
});

describe('a scheduled job', () => {
  test('runs at its times, without rights of its own, once of all processes', async () => {
    await open({
      'jobs/count.ts': `import { cron } from 'recto';
        export default cron('0 6 * * 1', async ({ db }) => {
          const { total } = await db.notes.list();
          await db.asSystem().notes.create({ title: 'counted ' + total });
        });`,
    });
    await service.seed('notes', { title: 'hidden' });
    const titles = async () =>
      (await service.send('GET /api/v1/admin/cms/notes?sort=title:asc', { as: 'ada' })).json.items.map(
        ({ title }: { title: string }) => title,
      );
    await service.runJobs();
    expect(await titles()).toEqual(['hidden']);
    now += 8 * 86_400_000;
    await service.runJobs();
    await service.runJobs();
    expect(await titles()).toEqual(['counted 0', 'hidden']);
    const kinds = (await service.send('GET /api/v1/admin/jobs?kind=cron.count', { as: 'ada' })).json.items;
    expect(kinds).toHaveLength(1);
    const events = (await service.send('GET /api/v1/admin/events?type=note', { as: 'ada' })).json.items;
    expect(events[0].actor).toEqual({ id: null, kind: 'system' });
    expect(events[0].request_id).toBe('job:count');
  });
});
