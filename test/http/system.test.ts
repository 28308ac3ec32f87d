import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mailSettings, smtpAddress } from '../support/mail-server.ts';
import { TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([{ singular: 'note', plural: 'notes', fields: [] }], { builtIn: true });
  await service.account('ada', 'admin');
  await service.account('nora', 'admin', 'north');
  await service.account('eddie', 'editor');
});
afterAll(() => service[Symbol.asyncDispose]());

describe.each(['/api/v1/admin/settings', '/api/v1/admin/system'])('GET %s', (path) => {
  test('is for admins who belong to no tenant', async () => {
    const statuses = [];
    for (const as of ['ada', 'nora', 'eddie']) statuses.push((await service.send(`GET ${path}`, { as })).status);
    expect([...statuses, (await service.send(`GET ${path}`)).status]).toEqual([200, 403, 403, 401]);
  });
});

test('the settings in force are listed with their sources', async () => {
  const { json, headers } = await service.send('GET /api/v1/admin/settings', { as: 'ada' });
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(json.items[0]).toEqual({
    name: 'RECTO_HOST',
    file_name: 'host',
    value: '127.0.0.1',
    source: 'default',
    secret: false,
    set: false,
    default: '127.0.0.1',
    accepts: 'an address or a host name',
    description: 'The address to listen on; 0.0.0.0 for every interface.',
  });
});

test('versions, state and counts', async () => {
  const { status, json } = await service.send('GET /api/v1/admin/system', { as: 'ada' });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    status: 'ok',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    runtime: `Bun ${Bun.version}`,
    started_at: expect.stringMatching(/Z$/),
    workers: 1,
    database: { kind: service.database.dialect.name, version: expect.stringMatching(/^\d+\.\d+/) },
    storage: 'file',
    mail: null,
    jobs: { queued: expect.any(Number), running: 0, done: 0, failed: 0, cancelled: 0 },
    checks: { database: { status: 'ok' }, definitions: { status: 'ok' } },
  });
  expect(json.content_types).toBe(service.types.all.length);
});

test.each([
  ['smtp://post:hunter2%40@mail.example.com?tls=required', 'smtp://mail.example.com:587'],
  ['smtps://post:hunter2@[2001:db8::1]:4650', 'smtps://[2001:db8::1]:4650'],
])('where mails go is shown without the user and the password: %s', async (address, to) => {
  await using mailing = await TestService.open([], { settings: mailSettings(smtpAddress(address)) });
  await mailing.account('ada', 'admin');
  const { json } = await mailing.send('GET /api/v1/admin/system', { as: 'ada' });
  expect(json.mail).toEqual({ to, from: 'Example Site <mail@example.com>', url: 'https://cms.example.com' });
});
