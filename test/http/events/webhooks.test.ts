// databases: sqlite, postgres:rest
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { system } from '../../../packages/recto/src/base/caller.ts';
import { DeliveryStore } from '../../../packages/recto/src/webhooks/delivery-store.ts';
import { Receiver, type Respond, verify } from '../../../packages/recto/src/webhooks/receiver.fixture.ts';
import type { Webhook } from '../../../packages/recto/src/webhooks/webhook.ts';
import { WebhookStore } from '../../../packages/recto/src/webhooks/webhook-store.ts';
import { Webhooks, type WebhooksParts } from '../../../packages/recto/src/webhooks/webhooks.ts';
import { query } from '../../support/database/database.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Changes of records as other services get them. Times are those of the service's clock, which the tests set.

const root = '/api/v1/admin/webhooks';
const note = {
  singular: 'note',
  plural: 'notes',
  protocols: [{ name: 'statusable', values: ['draft', 'published'], default: 'draft' }],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'secret', field_type: 'text', private: true },
  ],
  api: { get: { access: 'public', filter: 'title != "hidden"' } },
};
const memo = {
  singular: 'memo',
  plural: 'memos',
  protocols: ['tenantable'],
  fields: [{ name: 'title', field_type: 'text' }],
};
const [second, minute, hour] = [1_000, 60_000, 3_600_000];

let now: number;
let service: TestService;
let receiver: Receiver;
beforeEach(async () => {
  now = Date.now();
  receiver = new Receiver();
  service = await TestService.open([note, memo], { now: () => now });
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
  await service.account('tea', 'admin', 'acme');
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const send = (line: string, body?: object, as = 'ada'): Promise<Reply> =>
  service.send(line, { as, ...(body === undefined ? {} : { body }) });
const hook = async (input: object = {}): Promise<Reply['json']> => {
  const made = await send(`POST ${root}`, { url: receiver.url, ...input });
  expect([made.status, made.json.errors]).toEqual([201, undefined]);
  return made.json;
};
const make = async (body: object, plural = 'notes'): Promise<Reply['json']> =>
  (await send(`POST /api/v1/admin/cms/${plural}`, body)).json;
const deliveries = async (id: string, search = ''): Promise<Reply['json']['items']> =>
  (await send(`GET ${root}/${id}/deliveries?page_size=100${search}`)).json.items;
/** Runs what is due, and waits for it. The same job does not run twice at one moment. */
const settle = (): Promise<void> => {
  now += second;
  return service.runJobs();
};
const answering =
  (status: number, headers: Record<string, string> = {}): Respond =>
  () =>
    new Response('no', { status, headers });

describe('a message', () => {
  test('is what the reference implementation verifies, and has the change and the record', async () => {
    const { secret } = await hook({ types: ['notes'] });
    const made = await make({ title: 'One', secret: 's' });
    await settle();
    const [message] = receiver.received;
    if (message === undefined) throw new Error('Nothing arrived.');
    expect(verify(secret, message)).toEqual(message.json);
    const { title, status, ...rest } = (await service.send(`GET /api/v1/cms/notes/${made.id}`)).json;
    expect(message.json).toEqual({
      type: 'notes.create',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        ...{ seq: expect.any(Number), type: 'notes', id: made.id, action: 'create', changed: [] },
        record: { title, status, ...rest },
      },
    });
    expect(message.body).not.toContain('"secret"');
    expect(message.headers['content-type']).toBe('application/json');
    expect(message.id).toMatch(/^msg_[0-9a-f]{32}$/);
  });

  test('has private fields where the webhook includes them', async () => {
    await hook({ include_private: true });
    await make({ title: 'One', secret: 's' });
    await settle();
    expect(receiver.received[0]?.json.data.record).toMatchObject({ title: 'One', secret: 's' });
  });

  test('has none once the webhook no longer includes them, also when it was made before or is sent again', async () => {
    const { id } = await hook({ include_private: true });
    receiver.respond = answering(500);
    await make({ title: 'One', secret: 's' });
    await settle();
    receiver.respond = answering(200);
    await send(`PUT ${root}/${id}`, { include_private: false });
    receiver.received.splice(0);
    now += 10 * second;
    await service.runJobs();
    const [waiting] = await deliveries(id);
    expect((await send(`POST ${root}/${id}/deliveries/${waiting.id}/redeliver`)).status).toBe(202);
    // By itself: messages about two records arrive in any order.
    await settle();
    await make({ title: 'Two', secret: 's' });
    await settle();
    expect(receiver.received.map(({ json }) => json.data.record?.title ?? null)).toEqual([null, null, 'Two']);
    expect(receiver.received[0]?.json.data).toMatchObject({ action: 'create', record_omitted: true, record: null });
    expect(receiver.received.map(({ body }) => body).join('')).not.toContain('"s"');
  });

  test('has no record where that is gone, or hidden from the public', async () => {
    await hook();
    const hidden = await make({ title: 'hidden' });
    const { id } = await make({ title: 'One' });
    await send(`DELETE /api/v1/admin/cms/notes/${id}`);
    await settle();
    const shown = receiver.received.map(({ json }) => [json.type, json.data.id, json.data.record]);
    expect(shown.toSorted()).toEqual(
      [
        ['notes.create', hidden.id, null],
        ['notes.create', id, null],
        ['notes.delete', id, null],
      ].toSorted(),
    );
  });

  test('about a record of a tenant has it', async () => {
    await hook();
    await send('POST /api/v1/admin/cms/memos', { title: 'Of acme' }, 'tea');
    await settle();
    expect(receiver.received[0]?.json.data.record).toMatchObject({ title: 'Of acme' });
  });

  test.each(['title ~ "A%"', '{"title":{"like":"A%"}}'])(
    'comes only for the types, actions and records that are asked for: %s',
    async (filter) => {
      await hook({ types: ['note'], actions: ['update', 'publish'], filter });
      const [a, b] = [await make({ title: 'Aa' }), await make({ title: 'Bb' })];
      await make({ title: 'Ac' }, 'memos');
      for (const { id } of [a, b]) {
        await send(`PUT /api/v1/admin/cms/notes/${id}`, { secret: 'x' });
        await send(`PUT /api/v1/admin/cms/notes/${id}`, { status: 'published' });
      }
      await settle();
      expect(receiver.received.map(({ json }) => [json.type, json.data.id])).toEqual([
        ['notes.update', a.id],
        ['notes.publish', a.id],
      ]);
    },
  );
});

describe('a secret', () => {
  test('is shown once, and after a rotation signs together with the new one for a day', async () => {
    const { id, secret } = await hook();
    expect((await send(`GET ${root}/${id}`)).text).not.toContain('whsec_');
    expect((await send(`GET ${root}`)).text).not.toContain('whsec_');
    const rotated = await send(`POST ${root}/${id}/rotate-secret`);
    expect(rotated.json.secret).toMatch(/^whsec_/);
    expect(Date.parse(rotated.json.previous_secret_until)).toBe(now + 24 * hour);
    await make({ title: 'One' });
    await settle();
    const [both] = receiver.received;
    if (both === undefined) throw new Error('Nothing arrived.');
    expect(() => verify(secret, both)).not.toThrow();
    expect(() => verify(rotated.json.secret, both)).not.toThrow();
    now += 24 * hour;
    await make({ title: 'Two' });
    await settle();
    const one = receiver.received[1];
    expect(one?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });
});

test('what is done with a webhook is in the audit log, without its secret', async () => {
  const { id } = await hook({ description: 'The site' });
  await send(`PUT ${root}/${id}`, { description: 'The site', actions: ['delete'] });
  await send(`PUT ${root}/${id}`, { description: 'The site' });
  await send(`POST ${root}/${id}/rotate-secret`);
  receiver.respond = answering(410);
  await send(`POST ${root}/${id}/test`);
  await settle();
  await send(`DELETE ${root}/${id}`);
  const { json, text } = await send('GET /api/v1/admin/events?type=webhook&after=0');
  const ada = { id: service.idOf('ada'), kind: 'account' };
  expect(json.items).toMatchObject([
    { type: 'recto:webhook', record: id, action: 'create', changed: [], actor: ada, tenant: null },
    { action: 'update', changed: ['actions'], actor: ada },
    { action: 'update', changed: ['secret'], actor: ada },
    { action: 'update', changed: ['enabled'], actor: { id: null, kind: 'system' } },
    { record: id, action: 'delete', actor: ada },
  ]);
  expect(text).not.toContain('whsec_');
  expect((await send('GET /api/v1/admin/events?type=webhook&after=0', undefined, 'eve')).json.items).toEqual([]);
});

describe('a change', () => {
  const parts = (): WebhooksParts => ({
    database: service.database,
    jobs: service.jobs,
    store: new WebhookStore(service.database),
    deliveries: new DeliveryStore(service.database),
    lastEvent: async () => 0,
  });
  const read = async (webhooks: Webhooks, id: string): Promise<Webhook> => {
    const found = await webhooks.store.get(id);
    if (found === undefined) throw new Error('There is no such webhook.');
    return found;
  };

  test('keeps what another one has changed since it was begun: a new secret, and that the receiver is gone', async () => {
    const { id, secret } = await hook();
    const webhooks = new Webhooks(parts());
    const before = await read(webhooks, id);
    const rotated = (await send(`POST ${root}/${id}/rotate-secret`)).json.secret;
    await service.database.transaction((transaction) => webhooks.store.disable(transaction, id, 'gone', now));
    await webhooks.update(before, { ...before, description: 'Another' }, system);
    expect((await send(`GET ${root}/${id}`)).json).toMatchObject({ description: 'Another', enabled: false });
    await send(`PUT ${root}/${id}`, { enabled: true });
    await make({ title: 'One' });
    await settle();
    const [message] = receiver.received;
    if (message === undefined) throw new Error('Nothing arrived.');
    for (const each of [secret, rotated]) expect(() => verify(each, message)).not.toThrow();
  });

  test('of a secret keeps the one before it, also where two meet', async () => {
    const { id } = await hook();
    const made = await Promise.all([1, 2, 3].map(() => send(`POST ${root}/${id}/rotate-secret`)));
    await make({ title: 'One' });
    await settle();
    const [message] = receiver.received;
    if (message === undefined) throw new Error('Nothing arrived.');
    const holding = made.filter(({ json }) => {
      try {
        return verify(json.secret, message) !== undefined;
      } catch {
        return false;
      }
    });
    expect(holding).toHaveLength(2);
  });
});

test('about a record that is removed and restored is each what it says', async () => {
  await service[Symbol.asyncDispose]();
  const memory = { ...note, protocols: ['soft_deletable'] };
  service = await TestService.open([memory], { now: () => now });
  await service.account('ada', 'admin');
  await hook();
  const { id } = await make({ title: 'One' });
  await send(`PUT /api/v1/admin/cms/notes/${id}`, { title: 'Two' });
  await send(`DELETE /api/v1/admin/cms/notes/${id}`);
  await send(`POST /api/v1/admin/cms/notes/${id}/restore`);
  await settle();
  const shown = receiver.received.map(({ json }) => [json.data.action, json.data.record?.title ?? null]);
  expect(shown).toEqual([
    ['create', 'Two'],
    ['update', 'Two'],
    ['delete', null],
    ['restore', 'Two'],
  ]);
});

describe('a receiver', () => {
  test('that answers 500 for an hour gets each change once it is back, the changes of a record in order', async () => {
    const { id } = await hook();
    receiver.respond = answering(500);
    const { id: one } = await make({ title: 'One' });
    const { id: other } = await make({ title: 'Other' });
    await send(`PUT /api/v1/admin/cms/notes/${one}`, { title: 'One, changed' });
    const end = now + hour;
    const waits: number[] = [];
    while (now < end) {
      await settle();
      const waiting = await deliveries(id, '&state=pending');
      const times = waiting.map((each: { next_at: string }) => Date.parse(each.next_at));
      // A change that waits for another one of its record has no time of its own yet.
      const next = Math.min(...times.filter((time: number) => time > now));
      waits.push(next - now);
      now = next;
    }
    expect(waits[0]).toBeWithin(4 * second, 6 * second + 1);
    const before = receiver.received.filter(({ json }) => json.data.id === one);
    // The second change waits for the first, which keeps its id.
    expect(new Set(before.map(({ json }) => json.type))).toEqual(new Set(['notes.create']));
    expect(new Set(before.map((each) => each.id)).size).toBe(1);
    // At once, and after 5 seconds, 1, 5 and 30 minutes.
    expect(before).toHaveLength(5);
    receiver.respond = () => new Response();
    now += 3 * hour;
    await settle();
    const states = (await deliveries(id)).map((each: { state: string }) => each.state);
    expect(states).toEqual(['delivered', 'delivered', 'delivered']);
    const after = receiver.received.filter(({ json }) => json.data.id === one).slice(5);
    expect(after.map(({ json }) => json.type)).toEqual(['notes.create', 'notes.update']);
    expect(receiver.received.some(({ json }) => json.data.id === other)).toBe(true);
  });

  test('that never answers well is given up after eleven attempts in three days', async () => {
    const { id } = await hook();
    receiver.respond = answering(503);
    await make({ title: 'One' });
    const started = now;
    for (let attempt = 0; attempt < 11; attempt++) {
      await settle();
      const [delivery] = await deliveries(id);
      expect(delivery.attempts).toBe(attempt + 1);
      if (delivery.next_at !== null) now = Date.parse(delivery.next_at);
    }
    const [delivery] = await deliveries(id);
    expect(delivery).toMatchObject({
      state: 'failed',
      next_at: null,
      last: { status: 503, error: expect.any(String) },
    });
    expect(now - started).toBeWithin(60 * hour, 92 * hour);
    // What comes behind it goes on, and a person can have it sent again.
    receiver.respond = () => new Response();
    const again = await send(`POST ${root}/${id}/deliveries/${delivery.id}/redeliver`);
    expect([again.status, again.json.state]).toEqual([202, 'pending']);
    await settle();
    expect(receiver.received.at(-1)?.id).toBe(delivery.id);
    expect((await deliveries(id))[0].state).toBe('delivered');
  });

  test('that asks for time gets it', async () => {
    const { id } = await hook();
    receiver.respond = answering(429, { 'Retry-After': '600' });
    await make({ title: 'One' });
    await settle();
    expect(Date.parse((await deliveries(id))[0].next_at) - now).toBe(10 * minute);
  });

  test('that is gone is not sent anything more, until it is enabled again', async () => {
    const { id } = await hook();
    receiver.respond = answering(410);
    await make({ title: 'One' });
    await settle();
    const gone = await send(`GET ${root}/${id}`);
    expect(gone.json).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('410') });
    expect((await deliveries(id))[0].state).toBe('failed');
    await make({ title: 'Two' });
    await settle();
    expect(receiver.received).toHaveLength(1);
    expect((await send(`POST ${root}/${id}/test`)).json.code).toBe('webhook_disabled');
    receiver.respond = () => new Response();
    const back = await send(`PUT ${root}/${id}`, { enabled: true });
    expect(back.json).toMatchObject({ enabled: true, disabled_reason: null });
    await make({ title: 'Three' });
    await settle();
    expect(receiver.received.slice(1).map(({ json }) => json.data.record.title)).toEqual(['Three']);
  });

  test('that hangs delays no other', async () => {
    await using other = new Receiver();
    const release = Promise.withResolvers<void>();
    receiver.respond = async () => {
      await release.promise;
      return new Response();
    };
    await hook();
    await hook({ url: other.url });
    await make({ title: 'One' });
    const settled = settle();
    await other.until((received) => received.length === 1);
    await receiver.until((received) => received.length === 1);
    release.resolve();
    await settled;
  });
});

test('attempts are counted by their results, and what waits', async () => {
  const { id } = await hook();
  receiver.respond = answering(500);
  await make({ title: 'One' });
  await settle();
  const { text } = await service.send('GET /metrics');
  expect(text).toMatch(/^recto_webhook_attempts_total\{result="retried"\} [1-9]/m);
  expect(text).toMatch(/^recto_webhook_deliveries_pending 1$/m);
  expect(text).toMatch(/^recto_jobs\{state="queued"\} [1-9]/m);
  expect((await deliveries(id))[0].state).toBe('pending');
});

test('a test message arrives, signed, and is tried once', async () => {
  const { id, secret } = await hook();
  const started = await send(`POST ${root}/${id}/test`);
  expect([started.status, started.json]).toMatchObject([202, { type: 'webhook.test', record: null, seq: 0 }]);
  await settle();
  const [message] = receiver.received;
  if (message === undefined) throw new Error('Nothing arrived.');
  expect(verify(secret, message)).toEqual({ type: 'webhook.test', timestamp: expect.any(String), data: {} });
  expect(message.id).toBe(started.json.id);
  receiver.respond = answering(500);
  await send(`POST ${root}/${id}/test`);
  await settle();
  expect((await deliveries(id))[0]).toMatchObject({ state: 'failed', attempts: 1, last: { status: 500 } });
});

test('nothing comes of what was rolled back, and nothing from before the webhook', async () => {
  await make({ title: 'Before' });
  await hook();
  const refused = await send('POST /api/v1/admin/cms/notes', { title: 'x', status: 'unheard of' });
  expect(refused.status).toBe(422);
  await make({ title: 'After' });
  await settle();
  expect(receiver.received.map(({ json }) => json.data.record.title)).toEqual(['After']);
});

describe('an input', () => {
  const faults = async (body: object) => {
    const { status, json } = await send(`POST ${root}`, body);
    return [status, ...(json.errors ?? []).map((each: Record<string, string>) => `${each.field} ${each.code}`)];
  };

  test.each<[object, (string | number)[]]>([
    [{}, [422, 'url required']],
    [{ url: 'http://10.0.0.1/' }, [422, 'url address_not_allowed']],
    [{ url: 'http://169.254.169.254/latest' }, [422, 'url address_not_allowed']],
    [{ url: 'hooks' }, [422, 'url invalid_url']],
    [{ url: 'http://127.0.0.1/', description: 'a\0b' }, [422, 'description invalid_text']],
    [{ url: 'http://127.0.0.1/', types: ['nothing'] }, [422, 'types[0] unknown_type']],
    [{ url: 'http://127.0.0.1/', filter: 'title = "a"' }, [422, 'filter needs_types']],
    [{ url: 'http://127.0.0.1/', types: ['notes'], filter: 'nothing = "a"' }, [422, 'filter invalid_filter']],
    [
      { url: 'http://10.0.0.1/', types: ['nothing'], actions: 'all' },
      [422, 'actions wrong_type', 'types[0] unknown_type', 'url address_not_allowed'],
    ],
  ])('%p', async (body, expected) => {
    const [status, ...found] = await faults(body);
    expect([status, ...found.toSorted()]).toEqual(expected);
  });

  test('has its address stored in the form that is checked and connected to', async () => {
    const written = `${receiver.url.replace('http:', 'HTTP:').replace('127.0.0.1', '0x7f.1')}/a/../b\r\nc\t?q=\u202Egpj.exe`;
    const { id, url } = await hook({ url: written });
    expect(url).toBe(new URL(written).href);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\x21-\x7e]*$/);
    expect((await send(`GET ${root}/${id}`)).json.url).toBe(url);
    const changed = await send(`PUT ${root}/${id}`, { url: `${receiver.url}/d\u202E` });
    expect(changed.json.url).toEndWith('/d%E2%80%AE');
    expect(await faults({ url: `http://127.0.0.1/${'\u202E'.repeat(300)}` })).toEqual([422, 'url too_long']);
  });

  test('is changed in part, and a fetched webhook can be sent back', async () => {
    const { id } = await hook({ types: ['note'], description: 'The site' });
    const { json } = await send(`GET ${root}/${id}`);
    expect(json).toMatchObject({ types: ['notes'], actions: [], filter: null, description: 'The site', enabled: true });
    const back = await send(`PUT ${root}/${id}`, { ...json, description: 'Another' });
    expect(back.json).toMatchObject({ types: ['notes'], url: receiver.url, description: 'Another' });
    expect((await send(`PUT ${root}/${id}`, { url: 'http://192.168.0.1/' })).status).toBe(422);
    expect((await send(`DELETE ${root}/${id}`)).status).toBe(204);
    expect((await send(`GET ${root}/${id}`)).status).toBe(404);
  });

  test('is for admins of the installation', async () => {
    expect((await send(`GET ${root}`, undefined, 'eve')).status).toBe(403);
    expect((await send(`GET ${root}`, undefined, 'tea')).status).toBe(403);
    expect((await service.send(`GET ${root}`)).status).toBe(401);
  });
});

test('a removed webhook leaves nothing behind', async () => {
  const { id } = await hook();
  receiver.respond = answering(500);
  await make({ title: 'One' });
  await settle();
  await send(`DELETE ${root}/${id}`);
  const left = await service.database.rows(query('SELECT id FROM recto_webhook_deliveries WHERE webhook = ?', id));
  expect(left).toEqual([]);
  const jobs = (await send('GET /api/v1/admin/jobs?kind=webhooks.deliver&state=queued')).json;
  expect(jobs.total).toBe(0);
});
