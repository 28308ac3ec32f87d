// databases: sqlite, postgres:rest
import { afterEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodeFolder } from '../../support/code-folder.ts';
import { becomes, query } from '../../support/database/database.ts';
import { TestService } from '../../support/service.ts';

// Code of a deployment that runs after a commit: `after`.

const note = {
  singular: 'note',
  plural: 'notes',
  protocols: ['ownable', 'timestampable'],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'code', field_type: 'text', private: true },
  ],
  api: {
    list: { access: 'public', filter: 'title != "hidden"' },
    get: { access: 'public', filter: 'title != "hidden"' },
    create: { access: 'member' },
    update: { access: 'member', filter: 'created_by = @request.auth.id' },
    delete: { access: 'admin' },
  },
};
const memo = {
  singular: 'memo',
  plural: 'memos',
  protocols: ['tenantable'],
  fields: [{ name: 'title', field_type: 'text' }],
};

let service: TestService;
let folder: CodeFolder;
let lines: string[];
let now: number;
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** A program that appends what it is given to a file; `run` is the body of `after`. */
const hook = (run: string, { type = 'note', more = '' } = {}): string => `import { appendFileSync } from 'node:fs';
import { hooks, Problem } from 'recto';
const say = (...words) => appendFileSync(new URL('../said', import.meta.url), JSON.stringify(words) + '\\n');
export default hooks('${type}', { async after({ event, db, signal }) { ${run} }, ${more} });`;

async function open(files: Readonly<Record<string, string>>): Promise<void> {
  lines = [];
  now = Date.now();
  folder = new CodeFolder({ ...files, said: '' });
  service = await TestService.open([note, memo], {
    ...{ code: folder.path, builtIn: true, now: () => now },
    // What the hooks of these tests throw.
    expectedErrors: [/"type":"HookError"/],
    log: (line) => void lines.push(line),
  });
  await service.account('ada', 'admin');
  await service.account('mia', 'member');
  await service.account('tea', 'admin', 'acme');
}

const said = (): unknown[] =>
  readFileSync(join(folder.path, 'said'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const create = async (title: string, as = 'mia', plural = 'notes'): Promise<string> =>
  (await service.send(`POST /api/v1/${as === 'mia' ? '' : 'admin/'}cms/${plural}`, { as, body: { title } })).json.id;
const settle = (): Promise<void> => {
  now += 1_000;
  return service.runJobs();
};
const log = (): string => lines.join('');

describe('after', () => {
  test('runs once for each committed change, in their order, and for nothing that was rolled back', async () => {
    await open({
      'hooks/note.ts': hook(
        'say(event.action, event.record, event.changed, event.actor?.kind ?? null, event.key.split(":")[0], event.attempt, "before" in event);',
      ),
    });
    const id = await create('One');
    await service.send(`PUT /api/v1/cms/notes/${id}`, { as: 'mia', body: { title: 'Two' } });
    await service.send('POST /api/v1/cms/notes', { as: 'mia', body: { title: 7 } });
    await service.send(`DELETE /api/v1/admin/cms/notes/${id}`, { as: 'ada' });
    await create('Of another type', 'tea', 'memos');
    await settle();
    await settle();
    expect(said()).toEqual([
      ['create', id, [], 'account', 'note', 1, false],
      ['update', id, ['title'], 'account', 'note', 1, false],
      ['delete', id, [], 'account', 'note', 1, false],
    ]);
  });

  test('acts as whoever made the change, with the rights of now; as the service where it says so', async () => {
    await open({
      'hooks/note.ts': hook(`
        const attempt = async (work) => { try { return await work(); } catch (error) { return [error.status, error.code, error instanceof Problem]; } };
        const title = async (of) => (await of.notes.get(event.record))?.title ?? null;
        say(await title(db), await title(db.asSystem()), (await db.notes.list({ filter: 'title ~ "%e"', sort: ['title:desc'] })).total,
          await attempt(async () => (await db.notes.update(event.record, { title: 'Changed' })).title),
          await attempt(() => db.notes.delete(event.record)), await attempt(() => db.nothing.list()));`),
    });
    await create('One');
    await create('hidden');
    await service.send(`PUT /api/v1/admin/users/${service.idOf('mia')}`, { as: 'ada', body: { disabled: true } });
    await settle();
    expect(said()).toEqual([
      [
        'One',
        'One',
        1,
        [401, 'authentication_required', true],
        [401, 'authentication_required', true],
        [400, 'unknown_type', true],
      ],
      [
        null,
        'hidden',
        1,
        [401, 'authentication_required', true],
        [401, 'authentication_required', true],
        [400, 'unknown_type', true],
      ],
    ]);
    await service.send(`PUT /api/v1/admin/users/${service.idOf('mia')}`, { as: 'ada', body: { disabled: false } });
    await service.account('zoe', 'member');
    await service.send('POST /api/v1/cms/notes', { as: 'zoe', body: { title: 'Hers' } });
    await settle();
    expect(said().slice(2)).toEqual([
      ['Hers', 'Hers', 1, 'Changed', [403, expect.any(String), true], [400, 'unknown_type', true]],
    ]);
  });

  test('stays within the tenant of the change', async () => {
    await open({
      'hooks/memo.ts': hook(
        'say(event.tenant, (await db.asSystem().memos.list()).total, (await db.asSystem().memos.create({ title: "Made" })).tenant_id);',
        { type: 'memo' },
      ),
    });
    await service.seed('memos', { title: 'Of nobody' });
    await create('Of acme', 'tea', 'memos');
    await settle();
    expect(said()).toEqual([
      [null, expect.any(Number), null],
      ['acme', 1, 'acme'],
    ]);
  });

  test('does not hear its own changes, and a chain of hooks ends', async () => {
    await open({
      'hooks/self.ts': hook(
        'say("self"); await db.asSystem().notes.update(event.record, { code: "seen " + event.seq });',
      ),
      'hooks/ping.ts': hook('say("ping"); await db.asSystem().memos.create({ title: "ping" });', { type: 'note' }),
      'hooks/pong.ts': hook('say("pong"); await db.asSystem().notes.create({ title: "pong" });', { type: 'memo' }),
    });
    await create('One');
    for (let round = 0; round < 20; round += 1) await settle();
    const counts = (word: string): number => said().filter((entry) => Object(entry)[0] === word).length;
    expect(counts('self')).toBeGreaterThan(0);
    expect(counts('ping') + counts('pong') + counts('self')).toBeLessThan(60);
    expect(log()).toContain('after hooks led to one another 5 times: not run');
    const before = said().length;
    await settle();
    expect(said()).toHaveLength(before);
  });

  test('that throws runs again, under the same key, and is set aside after a while: others go on', async () => {
    await open({
      'hooks/note.ts': hook(
        'say(event.key, event.attempt); if (event.seq % 2 >= 0 && (await db.asSystem().notes.get(event.record)).title === "bad") throw new Error("the reason");',
      ),
    });
    await create('bad');
    await create('good');
    await settle();
    // Asked for again by new changes, it keeps its pause.
    await create('better');
    await settle();
    expect(said()).toHaveLength(1);
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      now += 3_600_000;
      await settle();
    }
    const keys = said().map((entry) => Object(entry)[0]);
    expect(new Set(keys.slice(0, 5)).size).toBe(1);
    expect(
      said()
        .slice(0, 5)
        .map((entry) => Object(entry)[1]),
    ).toEqual([1, 2, 3, 4, 5]);
    expect(keys).toHaveLength(7);
    expect(log()).toContain('the reason');
    const jobs = (await service.send('GET /api/v1/admin/jobs?kind=hooks.again', { as: 'ada' })).json.items;
    expect(jobs).toMatchObject([{ kind: 'hooks.again', state: 'queued' }]);
    now += 3_600_000;
    await settle();
    expect(said().slice(7)).toEqual([[keys[0], 6]]);
  });

  test.each([
    ['an endless loop', 'for (;;) {}'],
    ['a promise that nobody settles', 'await new Promise(() => undefined);'],
    ['the end of the process', 'process.exit(3);'],
    ['an error in a timer', 'setTimeout(() => { throw new Error("late"); }, 1); await new Promise(() => undefined);'],
  ])('that is %s ends, is logged with its file, and others run', async (_, body) => {
    await open({
      'hooks/bad.ts': hook(`say('bad'); ${body}`, { more: 'timeout: 0.3,' }),
      'hooks/good.ts': hook('say("good");'),
    });
    await create('One');
    await settle();
    expect(said().toSorted()).toEqual([['bad'], ['good']]);
    expect(log()).toContain('hooks/bad.ts');
    // The service answers, and the hook's thread is there again.
    expect((await service.send('GET /api/v1/cms/notes')).status).toBe(200);
    now += 3_600_000;
    await settle();
    expect(said().filter((entry) => Object(entry)[0] === 'bad')).toHaveLength(2);
  });

  test('that does not return delays no request and no other hook', async () => {
    await open({
      'hooks/busy.ts': hook(
        `const { existsSync } = await import('node:fs'); say('begins');
        while (!existsSync(new URL('../go', import.meta.url)));
        say('ends');`,
        { more: 'timeout: 3600,' },
      ),
      'hooks/throws.ts': hook('say("throws"); throw new Error("always");'),
      'hooks/good.ts': hook('say("good", event.record);'),
    });
    const first = await create('One');
    let isSettled = false;
    const settled = settle().then(() => {
      isSettled = true;
    });
    // All three have begun, and one of them keeps its thread busy from now on.
    await becomes(
      async () =>
        said()
          .map((entry) => Object(entry)[0])
          .toSorted(),
      ['begins', 'good', 'throws'],
    );
    const ids = [first];
    for (let request = 0; request < 20; request += 1) {
      ids.push(await create(`More ${request}`));
      expect((await service.send('GET /api/v1/cms/notes')).json.total).toBe(ids.length);
    }
    const count = (word: string): number => said().filter((entry) => Object(entry)[0] === word).length;
    expect([isSettled, count('begins'), count('ends')]).toEqual([false, 1, 0]);
    folder.write('go', '');
    await settled;
    await settle();
    const heard = said().filter((entry) => Object(entry)[0] === 'good');
    expect(heard.map((entry) => Object(entry)[1])).toEqual(ids);
    expect(count('ends')).toBe(ids.length);
  });

  test('is asked to end when its time is up, and changes nothing afterwards', async () => {
    await open({
      'hooks/note.ts': hook(
        `signal.addEventListener('abort', () => say('aborted'));
        await new Promise((resolve) => signal.addEventListener('abort', resolve)); throw new Error('given up');`,
        { more: 'timeout: 0.2,' },
      ),
    });
    await create('One');
    await settle();
    expect(said()).toEqual([['aborted']]);
    expect(log()).toContain('given up');
  });

  test('begins with the changes after it was there', async () => {
    await open({ 'hooks/other.ts': hook('say("other");', { type: 'memo' }) });
    await create('Before');
    folder.write('hooks/note.ts', hook('say((await db.notes.get(event.record)).title);'));
    const app = await service.anotherApp();
    await service.send('POST /api/v1/cms/notes', { as: 'mia', body: { title: 'After' }, through: app });
    const rows = await service.database.rows(query(`select name from recto_event_readers where name = 'hook:note'`));
    expect(rows).toHaveLength(1);
  });

  test('is measured', async () => {
    await open({ 'hooks/note.ts': hook('throw new Error("no");', { more: 'check() {},' }) });
    await create('One');
    await settle();
    const metrics = (await service.send('GET /metrics')).text;
    expect(metrics).toContain('recto_hook_runs_total{phase="check",result="ok"} 1');
    expect(metrics).toContain('recto_hook_runs_total{phase="after",result="error"} 1');
    // Changes of accounts count, too.
    expect(metrics).toMatch(/recto_event_reader_lag\{reader="hook:note"\} [1-9]/);
  });
});
