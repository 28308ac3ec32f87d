import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { RectoFolder, type RectoProcess } from '../../../../test/support/processes/recto-process.ts';
import { type CommandSurroundings, runCommand } from '../../../../test/support/processes/run-command.ts';

const admin = { email: 'ada@example.com', password: 'correct horse' };
let folder: RectoFolder;
let service: RectoProcess;
let url = '';

beforeAll(async () => {
  folder = new RectoFolder();
  service = folder.spawn(['start'], { RECTO_ADMIN_EMAIL: admin.email, RECTO_ADMIN_PASSWORD: admin.password });
  url = await service.url();
  await service.err(/"msg":"started"/);
});
afterAll(async () => {
  service.kill('SIGTERM');
  await service.ended();
  folder[Symbol.dispose]();
});

const run = (args: readonly string[], surroundings: CommandSurroundings = {}) =>
  runCommand(args, { environment: { RECTO_DATA_DIR: join(folder.path, 'data') }, ...surroundings });

async function runJson(args: readonly string[], surroundings: CommandSurroundings = {}) {
  const { exitCode, out, err } = await run([...args, '--json'], surroundings);
  expect(err).toBe('');
  return { exitCode, output: JSON.parse(out) };
}

async function signIn(email: string, password: string): Promise<{ status: number; token: string }> {
  const answer = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const body: unknown = await answer.json();
  return { status: answer.status, token: String(Reflect.get(Object(body), 'access_token')) };
}

async function statusOf(path: string, token: string): Promise<number> {
  return (await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } })).status;
}

const create = (email: string, ...more: readonly string[]) =>
  runJson(['user', 'create', email, '--password-stdin', ...more], { input: 'a long password\n' });

describe('beside a running service', () => {
  test('an account is created, and signs in', async () => {
    const { exitCode, output } = await create('mia@example.com', '--role', 'editor', '--username', 'mia');
    expect(exitCode).toBe(0);
    expect(output).toMatchObject({ ok: true, user: { email: 'mia@example.com', username: 'mia', role: 'editor' } });
    expect((await signIn('mia@example.com', 'a long password')).status).toBe(200);
  });

  test.each([
    ['ada\ufe0f@example.com', []],
    ['look@example.com', ['--username', 'mi\u3164a']],
  ])('an account that looks like another is rejected: %j', async (email, more) => {
    const { exitCode, output } = await create(email, ...more);
    expect([exitCode, output.errors[0].code]).toEqual([1, 'bad_format']);
    expect(output.errors[0].message).toContain('invisible');
  });

  test('a role holds from the next request on', async () => {
    await create('role@example.com');
    const { token } = await signIn('role@example.com', 'a long password');
    expect(await statusOf('/api/v1/admin/users', token)).toBe(403);
    expect((await run(['user', 'role', 'Role@Example.com', 'admin'])).exitCode).toBe(0);
    expect(await statusOf('/api/v1/admin/users', token)).toBe(200);
    expect((await run(['user', 'role', 'role@example.com', 'member'])).exitCode).toBe(0);
    expect(await statusOf('/api/v1/admin/users', token)).toBe(403);
  });

  test('a disabled account is out at once, by its id as well, and comes back when enabled', async () => {
    const { output } = await create('out@example.com');
    const { token } = await signIn('out@example.com', 'a long password');
    expect(await statusOf('/api/v1/auth/me', token)).toBe(200);
    const disabled = await run(['user', 'disable', output.user.id]);
    expect(disabled).toEqual({ exitCode: 0, out: 'out@example.com is disabled and signed out.\n', err: '' });
    expect(await statusOf('/api/v1/auth/me', token)).toBe(401);
    expect((await signIn('out@example.com', 'a long password')).status).toBe(401);
    expect((await run(['user', 'enable', 'out@example.com'])).exitCode).toBe(0);
    expect((await signIn('out@example.com', 'a long password')).status).toBe(200);
  });

  test('a password that a person enters twice replaces the old one, and ends the sessions', async () => {
    await create('pass@example.com');
    const { token } = await signIn('pass@example.com', 'a long password');
    const answers = ['another password', 'another password'];
    expect((await run(['user', 'password', 'pass@example.com'], { entered: answers })).exitCode).toBe(0);
    expect(await statusOf('/api/v1/auth/me', token)).toBe(401);
    expect((await signIn('pass@example.com', 'a long password')).status).toBe(401);
    expect((await signIn('pass@example.com', 'another password')).status).toBe(200);
  });

  test('second factors that were lost are removed, and the sessions end', async () => {
    await create('max@example.com');
    const { token } = await signIn('max@example.com', 'a long password');
    const post = async (path: string, body?: unknown) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const answer: unknown = await (await fetch(`${url}/api/v1/auth/me/totp${path}`, init)).json();
      return String(Reflect.get(Object(answer), 'secret'));
    };
    const secret = await post('');
    await post('/confirm', { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
    expect((await signIn('max@example.com', 'a long password')).status).toBe(403);
    const reset = await runJson(['user', 'reset-second-factors', 'max@example.com']);
    expect(reset).toMatchObject({ exitCode: 0, output: { user: { email: 'max@example.com', second_factor: false } } });
    expect(await statusOf('/api/v1/auth/me', token)).toBe(401);
    expect((await signIn('max@example.com', 'a long password')).status).toBe(200);
    const again = await run(['user', 'reset-second-factors', 'max@example.com']);
    expect(again.out).toBe('max@example.com had no second factor.\n');
  });

  test('the list shows accounts, and no hashes', async () => {
    const { output } = await runJson(['user', 'list', '--role', 'admin', '--search', 'ADA@']);
    expect(output.users).toMatchObject([{ email: admin.email, role: 'admin', disabled: false }]);
    expect(JSON.stringify(output)).not.toContain('argon2');
    const { out } = await run(['user', 'list', '--search', 'ada@']);
    expect(out).toMatch(
      /^EMAIL +USERNAME +ROLE +STATE +TENANT +CREATED +ID\nada@example\.com +- +admin +enabled +- +\d{4}-/,
    );
    expect(out).toEndWith('\n1 account.\n');
    expect(out).not.toContain('\u001b');
  });

  test('an API token is good until it is revoked', async () => {
    const { output } = await runJson(['token', 'create', 'the build', '--role', 'admin', '--expires', '90d']);
    const { id, token, expires_at: ends } = output.token;
    expect(Date.parse(ends) - Date.now()).toBeWithin(89 * 86_400_000, 90 * 86_400_000 + 1);
    expect(await statusOf('/api/v1/admin/users', token)).toBe(200);
    const listed = await runJson(['token', 'list']);
    expect(listed.output.tokens).toMatchObject([{ id, name: 'the build', role: 'admin' }]);
    expect(JSON.stringify(listed.output)).not.toContain(token);
    expect((await run(['token', 'list'])).out).toMatch(
      /\nthe build +admin +all +- +\S+ +\d{4}-\d\d-\d\d +\S+ +\S+\n\n1 API token/,
    );
    expect(await run(['token', 'revoke', id])).toEqual({ exitCode: 0, out: `Revoked ${id}.\n`, err: '' });
    expect(await statusOf('/api/v1/admin/users', token)).toBe(401);
  });

  test('an API token is narrowed by scopes', async () => {
    const scopes = ['--role', 'editor', '--scopes', 'posts:read, media:write,posts:read'];
    const { output } = await runJson(['token', 'create', 'the shop', ...scopes]);
    const { id, token, ...made } = output.token;
    expect(made).toMatchObject({ role: 'editor', scopes: ['media:write', 'posts:read'] });
    expect(await statusOf('/api/v1/admin/posts', token)).toBe(200);
    expect(await statusOf('/api/v1/admin/pages', token)).toBe(403);
    expect((await runJson(['token', 'list'])).output.tokens).toMatchObject([{ id, scopes: made.scopes }]);
    expect((await run(['token', 'list'])).out).toMatch(/\nthe shop +editor +media:write posts:read +- /);
    const { out } = await run(['token', 'create', 'all types', '--role', 'editor', '--scopes', '*:read']);
    expect(out).toStartWith('Created "all types" (editor, *:read, without expiry, ');
    for (const each of (await runJson(['token', 'list'])).output.tokens) await run(['token', 'revoke', each.id]);
  });

  test('scopes are listed by their stored names while the content types have errors', async () => {
    const { output } = await runJson(['token', 'create', 'the shop', '--scopes', 'posts:read']);
    const nowhere = {
      RECTO_DATA_DIR: join(folder.path, 'data'),
      RECTO_CONTENT_TYPES_DIR: join(folder.path, 'no types'),
    };
    const listed = await runJson(['token', 'list'], { environment: nowhere });
    expect(listed.output.tokens).toMatchObject([{ scopes: ['post:read'] }]);
    await run(['token', 'revoke', output.token.id]);
  });

  test('through a real pipe', async () => {
    const main = join(import.meta.dir, 'main.ts');
    const child = Bun.spawn([process.execPath, main, 'user', 'create', 'pipe@example.com', '--password-stdin'], {
      cwd: folder.path,
      env: { PATH: process.env.PATH ?? '' },
      stdin: new TextEncoder().encode('a piped password\n'),
      stdout: 'pipe',
      stderr: 'inherit',
    });
    expect(await new Response(child.stdout).text()).toStartWith('Created pipe@example.com (member, ');
    expect(await child.exited).toBe(0);
    expect((await signIn('pipe@example.com', 'a piped password')).status).toBe(200);
  });
});

interface Refusal {
  readonly args: readonly string[];
  readonly surroundings?: CommandSurroundings;
  readonly exitCode: number;
  readonly says: string;
}

const refusals: readonly Refusal[] = [
  { args: ['user', 'disable', admin.email], exitCode: 1, says: 'last admin' },
  { args: ['user', 'role', admin.email, 'member'], exitCode: 1, says: 'last admin' },
  { args: ['user', 'role', admin.email, 'boss'], exitCode: 1, says: 'There is no role "boss"' },
  { args: ['user', 'enable', 'nobody@example.com'], exitCode: 1, says: 'no such account. (nobody@example.com)' },
  { args: ['user', 'create'], exitCode: 2, says: "missing required argument 'email'" },
  { args: ['user', 'create', 'x@example.com'], exitCode: 2, says: '--password-stdin' },
  { args: ['user', 'create', 'x@example.com', 'secret'], exitCode: 2, says: 'too many arguments' },
  {
    args: ['user', 'create', 'no-address', '--password-stdin'],
    surroundings: { input: 'short' },
    exitCode: 1,
    says: 'email: This is not an email address.\npassword: A password has at least 8 characters.',
  },
  {
    args: ['user', 'create', admin.email, '--password-stdin'],
    surroundings: { input: 'a long password' },
    exitCode: 1,
    says: 'email: An account has this email address already.',
  },
  {
    args: ['user', 'create', 'x@example.com'],
    surroundings: { entered: ['a long password', 'a longer password'] },
    exitCode: 1,
    says: 'The two passwords differ.',
  },
  {
    args: ['user', 'password', admin.email, '--password-stdin'],
    surroundings: { input: 'two lines\nof password\n' },
    exitCode: 1,
    says: 'more than one line',
  },
  { args: ['token', 'revoke', 'x'], exitCode: 1, says: 'no API token with the id x' },
  { args: ['token', 'create', ' '], exitCode: 1, says: 'name: Must be visible text' },
  { args: ['token', 'create', 'a'.repeat(201)], exitCode: 1, says: 'at most 200' },
  {
    args: ['token', 'create', 'a', '--expires', 'soon'],
    exitCode: 2,
    says: 'It must be a number of days such as 90d, or',
  },
  { args: ['token', 'create', 'a', '--expires', '2030-02-31T12:00:00Z'], exitCode: 1, says: 'Must be a time such as' },
  {
    args: ['token', 'create', 'a', '--scopes', 'posts:read,post:read,posts:purge'],
    exitCode: 1,
    says: 'scopes[1]: "post:read" is no scope: a scope is a plural, users, events, releases or *, then ":read" or ":write", such as "articles:read", or "mcp". Did you mean "posts"?\nscopes[2]: "posts:purge" is no scope:',
  },
  { args: ['token', 'create', 'a', '--scopes', 'posts:read,'], exitCode: 2, says: 'It must be scopes with commas' },
  { args: ['token', 'create', 'a', '--expires', '0d'], exitCode: 1, says: 'expires_at: Must be in the future.' },
  { args: ['user'], exitCode: 2, says: 'Usage: recto user' },
];
test.each(refusals)('$args is refused', async ({ args, surroundings, exitCode, says }) => {
  const ended = await run(args, surroundings);
  expect(ended).toMatchObject({ exitCode, out: '' });
  expect(ended.err).toContain(says);
});

test('--json prints the errors', async () => {
  const { exitCode, output } = await runJson(['user', 'create', 'x', '--password-stdin'], { input: 'a long password' });
  expect(exitCode).toBe(1);
  expect(output).toMatchObject({ ok: false, errors: [{ field: 'email', code: 'bad_format' }] });
});

test.each(['user', 'token'])('%s list without a data folder says so, and creates none', async (name) => {
  const nowhere = join(folder.path, 'nowhere');
  const { exitCode, out, err } = await run([name, 'list'], { environment: { RECTO_DATA_DIR: nowhere } });
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
  expect(err).toContain(`There is no data folder ${nowhere}`);
  expect(existsSync(nowhere)).toBe(false);
});
