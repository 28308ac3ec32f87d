// databases: sqlite:rest
import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RectoFolder, type RectoProcess } from '../../../../../test/support/processes/recto-process.ts';

const environment = { RECTO_ADMIN_EMAIL: 'ada@example.com', RECTO_ADMIN_PASSWORD: 'correct horse' };
const root = '/api/v1/admin/content-types';
const note = 'singular = "note"\nplural = "notes"\n';

const ticket = {
  singular: 'ticket',
  plural: 'tickets',
  protocols: ['timestampable'],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'note', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'notes' } },
  ],
  api: { create: { access: 'public' }, list: { filter: 'title != "hidden"' } },
};
const topic = {
  singular: 'topic',
  plural: 'topics',
  fields: [{ name: 'data', field_type: 'json', default: { a: null } }],
};

/** A running service, called as its admin. */
class Service {
  readonly process: RectoProcess;
  readonly #url: string;
  #token = '';

  static async start(folder: RectoFolder): Promise<Service> {
    const process = folder.spawn(['start'], environment);
    const service = new Service(process, await process.url());
    const body = { email: environment.RECTO_ADMIN_EMAIL, password: environment.RECTO_ADMIN_PASSWORD };
    service.#token = (await service.send('POST /api/v1/auth/login', body)).json.access_token;
    return service;
  }

  private constructor(process: RectoProcess, url: string) {
    this.process = process;
    this.#url = url;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, and a wrong path fails the test.
  async send(line: string, body?: unknown): Promise<{ status: number; json: any }> {
    const [method = '', path = ''] = line.split(' ');
    const headers = { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' };
    if (this.#token === '') Reflect.deleteProperty(headers, 'Authorization');
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${this.#url}${path}`, init);
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  }

  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    await this.process.ended();
  }
}

/** A stopped service whose database has a ticket of a type created through the API, besides the notes of a file. */
async function filled(): Promise<RectoFolder> {
  const folder = new RectoFolder({ 'note.toml': note });
  const service = await Service.start(folder);
  for (const type of [ticket, topic]) expect((await service.send(`POST ${root}`, type)).status).toBe(201);
  expect((await service.send('POST /api/v1/cms/tickets', { title: 'Leak' })).status).toBe(201);
  await service.stop();
  return folder;
}

const filesOf = (folder: RectoFolder, name: string) => readdirSync(join(folder.path, name)).toSorted();

describe('handing types over to files', () => {
  test('beside a running service: it goes on, and the next start reads the files', async () => {
    using folder = await filled();
    const running = await Service.start(folder);
    const moved = await folder.run(['schema', 'export', '--move']);
    expect(moved).toMatchObject({ exitCode: 0, err: '' });
    expect(moved.out).toContain('They belong to the files now');
    // What TOML cannot express is written as JSON.
    expect(filesOf(folder, 'content-types')).toEqual(['.keep', 'note.toml', 'ticket.toml', 'topic.json']);
    expect((await running.send('GET /api/v1/cms/tickets')).json.total).toBe(1);
    expect((await running.send(`GET ${root}/ticket`)).json).toMatchObject({ source: 'api', handed_over: true });
    for (const rejected of [
      await running.send(`PUT ${root}/ticket`, { ...ticket, name: 'Other' }),
      await running.send(`DELETE ${root}/ticket`),
    ]) {
      expect([rejected.status, rejected.json.code]).toEqual([409, 'handed_over']);
    }
    await running.stop();

    const next = await Service.start(folder);
    expect((await next.send('GET /api/v1/cms/tickets')).json.items[0].title).toBe('Leak');
    expect((await next.send(`GET ${root}/ticket`)).json).toMatchObject({ source: 'file', file: 'ticket.toml' });
    expect((await next.send(`GET ${root}/ticket`)).json.definition).toEqual(ticket);
    expect((await next.send(`PUT ${root}/ticket`, ticket)).json.code).toBe('belongs_to_deployment');
    const { json } = await next.send(`GET ${root}/ticket/revisions`);
    expect(json.items.map(({ action }: { action: string }) => action)).toEqual(['handed_over', 'created']);
    await next.stop();

    // The file now defines the type: without it there is no type, and its name is free.
    rmSync(join(folder.path, 'content-types/ticket.toml'));
    const last = await Service.start(folder);
    expect((await last.send('GET /api/v1/cms/tickets')).status).toBe(404);
    expect((await last.send(`POST ${root}`, ticket)).status).toBe(201);
    expect((await last.send('GET /api/v1/cms/tickets')).json.items[0].title).toBe('Leak');
    await last.stop();
  }, 600_000);

  test('interrupted before the files are in their places, it is finished by running it again', async () => {
    using folder = await filled();
    expect((await folder.run(['schema', 'export', '--move'])).exitCode).toBe(0);
    // As if the command had ended between the two steps.
    for (const name of ['ticket.toml', 'topic.json']) {
      rmSync(join(folder.path, 'content-types', name));
      folder.write(`content-types/.${name}.new`, 'half of it');
    }
    const between = await Service.start(folder);
    expect((await between.send('GET /api/v1/cms/tickets')).json.total).toBe(1);
    await between.stop();
    expect((await folder.run(['schema', 'export', '--move'])).exitCode).toBe(0);
    expect(filesOf(folder, 'content-types')).toEqual(['.keep', 'note.toml', 'ticket.toml', 'topic.json']);
    const again = await folder.run(['schema', 'export', '--move', '--json']);
    expect(JSON.parse(again.out).files).toEqual([
      { singular: 'ticket', file: 'ticket.toml', written: false },
      { singular: 'topic', file: 'topic.json', written: false },
    ]);
    const after = await Service.start(folder);
    expect((await after.send(`GET ${root}/ticket`)).json.source).toBe('file');
    expect((await after.send('GET /api/v1/cms/tickets')).json.total).toBe(1);
    await after.stop();
  }, 600_000);

  test('recto dev takes the files over at once', async () => {
    using folder = await filled();
    const process = folder.spawn(['dev'], environment);
    await process.url();
    await process.out(/read anew when a file in their folders changes/);
    expect((await folder.run(['schema', 'export', '--move'])).exitCode).toBe(0);
    await process.out(/Reloaded: 3 content types\./);
    process.kill('SIGTERM');
    await process.ended();
    const { out } = await folder.run(['schema', 'list', '--json']);
    const from = JSON.parse(out).types.map(({ singular, source }: Record<string, string>) => `${singular} ${source}`);
    expect(from).toEqual([
      'category built_in',
      'comment built_in',
      'media built_in',
      'note file',
      'page built_in',
      'post built_in',
      'ticket file',
      'topic file',
    ]);
  }, 600_000);
});

describe('one filled database', () => {
  test('export writes files that load, and overwrites nothing unasked', async () => {
    using folder = await filled();
    const first = await folder.run(['schema', 'export', 'ticket', '--to', 'out']);
    expect(first).toMatchObject({ exitCode: 0, err: '' });
    expect(filesOf(folder, 'out')).toEqual(['ticket.toml']);
    const text = readFileSync(join(folder.path, 'out/ticket.toml'), 'utf8');
    folder.write('out/ticket.toml', text.replace('ticket"', 'ticket" # by hand'));
    const same = await folder.run(['schema', 'export', '--to', 'out']);
    expect(same.out).toContain('ticket.toml  was there already');
    expect(filesOf(folder, 'out')).toEqual(['ticket.toml', 'topic.json']);
    folder.write('out/ticket.toml', text.replace('Leak', '').replace('tickets', 'cases'));
    const rejected = await folder.run(['schema', 'export', '--to', 'out']);
    expect([rejected.exitCode, rejected.out]).toEqual([1, '']);
    expect(rejected.err).toContain('out/ticket.toml is there already; --force replaces it');
    const forced = await folder.run(['schema', 'export', '--to', 'out', '--force', '--format', 'toml']);
    expect(forced.exitCode).toBe(0);
    expect(readFileSync(join(folder.path, 'out/ticket.toml'), 'utf8')).toBe(text);
    const other = await folder.run(['schema', 'export', '--to', 'json', '--format', 'json']);
    expect(other.exitCode).toBe(0);
    expect(JSON.parse(readFileSync(join(folder.path, 'json/ticket.json'), 'utf8'))).toEqual(ticket);
  }, 600_000);

  test.each([
    [['schema', 'export'], 2, 'Say where to with --to'],
    [['schema', 'export', '--to', 'content-types'], 2, 'it would have these types twice'],
    [['schema', 'export', 'nobody', '--to', 'out'], 1, 'There is no content type "nobody".'],
    [
      ['schema', 'export', 'note', '--to', 'out'],
      1,
      '"note" was not created through the API: it comes from note.toml.',
    ],
    [['schema', 'show', 'nobody'], 1, 'There is no content type "nobody".'],
  ] as const)('%p is rejected', async (args, exitCode, message) => {
    using folder = await shared();
    const ended = await folder.run(args);
    expect([ended.exitCode, ended.out]).toEqual([exitCode, '']);
    expect(ended.err).toContain(message);
    expect(existsSync(join(folder.path, 'out'))).toBe(false);
  });

  test('list and show print the types and where they come from', async () => {
    using folder = await shared();
    const { out } = await folder.run(['schema']);
    const lines = out.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '));
    expect(lines).toContain('ticket | tickets | collection | the API | cms_ticket | 1');
    expect(lines).toContain('note | notes | collection | note.toml | cms_note | 0');
    expect(lines).toContain('page | pages | collection | built in | cms_page | 0');
    const shown = await folder.run(['schema', 'show', 'ticket']);
    expect(shown.out).toStartWith(
      '# created through the API, revision 1, table cms_ticket, 1 record\nsingular = "ticket"\n',
    );
    const { type } = JSON.parse((await folder.run(['schema', 'show', 'ticket', '--json'])).out);
    expect(type).toMatchObject({ source: 'api', table: 'cms_ticket', records: 1, definition: ticket });
  });

  test('check, types, doctor and export see them; --files leaves them out', async () => {
    using folder = await shared();
    expect((await folder.run(['check'])).out).toContain('1 content type in content-types/, 2 created through the API');
    expect((await folder.run(['check', '--files'])).out).toContain('1 content type in content-types/, no errors');
    expect((await folder.run(['types'])).out).toContain('export interface Ticket ');
    expect((await folder.run(['types', '--files'])).out).not.toContain('export interface Ticket ');
    const doctor = await folder.run(['doctor']);
    expect(doctor.out).toContain('1 content type in content-types/, 2 created through the API');
    expect(doctor.out).toContain('the definitions fit what is stored');
    const unused = await folder.run(['migrate', 'plan', '--drop-unused', '--json']);
    expect(JSON.parse(unused.out)).toMatchObject({ state: 'current', changes: [], unused: [] });
    const exported = await folder.run(['export', '--out', 'content', '--json']);
    expect(filesOf(folder, 'content')).toContain('tickets.ndjson');
    expect(exported.exitCode).toBe(0);
  }, 600_000);

  test.each([
    ['singular = "ticket"\nplural = "cases"\n', 'singular'],
    ['singular = "case"\nplural = "tickets"\n', 'plural'],
  ])('a file with a name that is taken: the start fails, naming both', async (text, role) => {
    using folder = await shared();
    folder.write('content-types/case.toml', text);
    for (const command of ['start', 'check']) {
      const { exitCode, err } = await folder.run([command]);
      expect(exitCode).toBe(1);
      expect(err).toContain(
        `content-types/case.toml:${role === 'singular' ? 1 : 2} ${role}: "${role === 'singular' ? 'ticket' : 'tickets'}" is already the ${role} of the type in ticket (created through the API)`,
      );
      expect(err).toContain('recto schema export ticket --move');
    }
    expect((await folder.run(['check', '--files'])).exitCode).toBe(0);
  });

  test('a file may relate to a type that was created through the API', async () => {
    using folder = await shared();
    const relation = 'relation = { relation_type = "many_to_one", target = "tickets" }';
    folder.write(
      'content-types/reply.toml',
      `singular = "reply"\nplural = "replies"\n[[fields]]\nname = "to"\nfield_type = "relation"\n${relation}\n`,
    );
    const service = await Service.start(folder);
    const ticketId = (await service.send('GET /api/v1/cms/tickets')).json.items[0].id;
    const made = await service.send('POST /api/v1/admin/cms/replies', { to: ticketId });
    expect(made.status).toBe(201);
    expect((await service.send(`DELETE ${root}/ticket`)).json.code).toBe('content_type_in_use');
    await service.stop();
  });
});

afterAll(async () => (await filledOnce)?.[Symbol.dispose]());

/** A copy of one filled folder, for tests that only read. */
let filledOnce: Promise<RectoFolder> | undefined;
async function shared(): Promise<RectoFolder> {
  filledOnce ??= filled();
  const original = await filledOnce;
  const copy = new RectoFolder();
  for (const name of ['content-types/note.toml', 'data/recto.db']) {
    await Bun.write(join(copy.path, name), Bun.file(join(original.path, name)));
  }
  return copy;
}
