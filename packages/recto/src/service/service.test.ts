import { describe, expect, test } from 'bun:test';
import { halfSent } from '../../../../test/support/processes/half-sent.ts';
import { fromLauncher, RectoFolder, refused } from '../../../../test/support/processes/recto-process.ts';

const articleType = `
name = "Article"
singular = "article"
plural = "articles"

[[fields]]
name = "title"
field_type = "text"
required = true
`;

const brokenTypes = {
  'one.toml': 'name = "One"\nsingular = "one"\nplural = "ones"\n\n[[fields]]\nname = "a"\nfield_type = "txet"\n',
  'two.toml': 'name = "Two"\nsingular = "Two words"\nplural = "twos"\n\n[[fields]]\nname = "b"\nfield_type = "text"\n',
};

const admin = { email: 'ada@example.com', password: 'correct horse' };
const adminSettings = { RECTO_ADMIN_EMAIL: admin.email, RECTO_ADMIN_PASSWORD: admin.password };

describe('start', () => {
  test('serves, and ends in order: what runs is finished, nothing new is taken', async () => {
    using folder = new RectoFolder({ 'article.toml': articleType });
    const recto = folder.spawn(['start'], { ...adminSettings, RECTO_STOP_TIMEOUT_SECS: '3600' });
    const url = await recto.url();

    const ready = await fetch(`${url}/api/v1/readyz`);
    expect({ status: ready.status, body: await ready.json() }).toEqual({ status: 200, body: { status: 'ok' } });
    const health = await (await fetch(`${url}/api/v1/health`)).json();
    expect(health).toMatchObject({ status: 'ok', checks: { database: { status: 'ok' } } });
    const list = await fetch(`${url}/api/v1/cms/articles`);
    expect(await list.json()).toEqual({ items: [], total: 0, page: 1, page_size: 20 });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('recto_http_requests_total{route="/api/v1/cms/articles",method="GET",status="200"} 1');

    const request = halfSent(url, '/api/v1/auth/login', JSON.stringify(admin));
    await request.sent;
    // On a connection of its own, and so answered after the one of the partial request was accepted.
    await fetch(`${url}/api/v1/healthz`, { keepalive: false });
    recto.kill('SIGTERM');
    await recto.err(/"msg":"stopping"/);
    await refused(url);
    request.finish();
    expect(await request.answer).toStartWith('HTTP/1.1 200 ');

    const { exitCode, out, err } = await recto.ended();
    expect(err).toContain('"msg":"stopped"');
    expect(exitCode).toBe(0);
    expect(out).toContain('/api/v1/cms/articles');
    expect(out).not.toContain(admin.password);
  });

  test('shows a generated password once, and it opens the door', async () => {
    using folder = new RectoFolder();
    const first = folder.spawn(['start']);
    const [, email] = await first.out(/E-mail +(\S+)/);
    const [, password] = await first.out(/Password +(\S+)\n/);
    const answer = await fetch(`${await first.url()}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(answer.status).toBe(200);
    first.kill('SIGINT');
    expect((await first.ended()).exitCode).toBe(0);

    const second = folder.spawn(['start']);
    await second.url();
    await second.err(/"msg":"started"/);
    second.kill('SIGTERM');
    const { exitCode, out, err } = await second.ended();
    expect(exitCode).toBe(0);
    expect(out).not.toContain('Password');
    expect(out + err).not.toContain(String(password));
  });

  test('through the launcher: signals and exit codes are passed on', async () => {
    using folder = new RectoFolder();
    const recto = folder.spawn(['start'], adminSettings, fromLauncher);
    await recto.err(/"msg":"started"/);
    recto.kill('SIGTERM');
    const { exitCode, err } = await recto.ended();
    expect(err).toContain('"msg":"stopped"');
    expect(exitCode).toBe(0);
    expect((await folder.spawn(['strat'], {}, fromLauncher).ended()).exitCode).toBe(2);
  });

  test('a second signal ends it at once', async () => {
    using folder = new RectoFolder();
    const recto = folder.spawn(['start'], { ...adminSettings, RECTO_STOP_TIMEOUT_SECS: '3600' });
    const request = halfSent(await recto.url(), '/api/v1/auth/login', JSON.stringify(admin));
    request.answer.catch(() => undefined);
    await request.sent;
    await fetch(`${await recto.url()}/api/v1/healthz`, { keepalive: false });
    recto.kill('SIGTERM');
    await recto.err(/"msg":"stopping"/);
    // Longer than a signal and its copy are apart, when a terminal and npm both send it.
    await Bun.sleep(400);
    recto.kill('SIGTERM');
    const { exitCode, err } = await recto.ended();
    expect(exitCode).toBe(1);
    expect(err).not.toContain('"msg":"stopped"');
  });
});

describe('a start fails with exit code 1', () => {
  interface Refusal {
    readonly name: string;
    readonly types?: Readonly<Record<string, string>>;
    readonly files?: Readonly<Record<string, string>>;
    readonly settings?: Readonly<Record<string, string>>;
    readonly says: readonly string[];
  }
  const refusals: readonly Refusal[] = [
    {
      name: 'for definitions, with all errors',
      types: brokenTypes,
      says: ['one.toml', 'txet', 'two.toml', 'Two words'],
    },
    { name: 'without a definitions folder', settings: { RECTO_CONTENT_TYPES_DIR: 'nowhere' }, says: ['nowhere'] },
    {
      name: 'for a data folder that cannot be created',
      files: { blocked: 'a file' },
      settings: { RECTO_DATA_DIR: 'blocked/data' },
      says: ['blocked/data'],
    },
    {
      name: 'for a damaged database',
      files: { 'data/recto.db': 'no database '.repeat(1000) },
      says: ['data/recto.db'],
    },
    { name: 'for settings of the file', files: { 'recto.toml': 'prot = 1\n' }, says: ['prot', 'did you mean port?'] },
  ];
  test.each(refusals)('$name', async ({ types, files = {}, settings = {}, says }) => {
    using folder = new RectoFolder(types);
    for (const [name, text] of Object.entries(files)) folder.write(name, text);
    const { exitCode, out, err } = await folder.run(['start'], settings);
    for (const part of says) expect(err).toContain(part);
    expect(err).not.toContain('    at ');
    expect(err).not.toContain('"level"');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
  });

  test('for a port in use; the first admin is not created, as nobody would see the password', async () => {
    using folder = new RectoFolder();
    using taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const refused = await folder.run(['start'], { RECTO_PORT: String(taken.port) });
    expect(refused).toMatchObject({ exitCode: 1, out: '' });
    expect(refused.err).toContain(String(taken.port));
    const recto = folder.spawn(['start']);
    await recto.out(/Password +\S+/);
    recto.kill('SIGTERM');
    expect((await recto.ended()).exitCode).toBe(0);
  });
});

describe('check', () => {
  test('prints the types and their addresses, and creates nothing', async () => {
    using folder = new RectoFolder({ 'article.toml': articleType });
    const { exitCode, out, err } = await folder.run(['check']);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(out).toStartWith('1 content type in content-types/, no errors.\n');
    expect(out).toContain('/api/v1/cms/articles');
    expect([...new Bun.Glob('**').scanSync({ cwd: folder.path })]).toEqual(['content-types/article.toml']);
  });

  test('prints all errors', async () => {
    using folder = new RectoFolder(brokenTypes);
    const { exitCode, out, err } = await folder.run(['check']);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    for (const part of ['one.toml', 'two.toml']) expect(err).toContain(part);
  });

  test('--json prints the types', async () => {
    using folder = new RectoFolder({ 'article.toml': articleType });
    const { exitCode, out } = await folder.run(['check', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      types: [{ singular: 'article', plural: 'articles', address: '/api/v1/cms/articles', fields: ['id', 'title'] }],
    });
  });

  test('--json prints the errors', async () => {
    using folder = new RectoFolder(brokenTypes);
    const { exitCode, out, err } = await folder.run(['check', '--json']);
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: '' });
    const { ok, faults } = JSON.parse(out);
    expect(ok).toBe(false);
    expect(new Set(faults.map(({ file }: { file: string }) => file.split('/').at(-1)))).toEqual(
      new Set(['one.toml', 'two.toml']),
    );
  });
});
