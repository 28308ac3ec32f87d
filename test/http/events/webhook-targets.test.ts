import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { AllowedTarget } from '../../../packages/recto/src/base/net/allowed-target.ts';
import { Receiver } from '../../../packages/recto/src/webhooks/receiver.fixture.ts';
import { newTestLocation, type TestLocation } from '../../support/database/database.ts';
import { TestService } from '../../support/service.ts';

// Receivers that lead a running service to inner addresses: by a name that moves, and by redirects.

const root = '/api/v1/admin/webhooks';
const note = { singular: 'note', plural: 'notes', fields: [{ name: 'title', field_type: 'text' }] };

let now: number;
let place: TestLocation;
let receiver: Receiver;
let inner: Receiver;
beforeEach(async () => {
  now = Date.now();
  place = await newTestLocation();
  receiver = new Receiver();
  inner = new Receiver();
});
afterEach(async () => {
  await receiver[Symbol.asyncDispose]();
  await inner[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const open = (webhooksAllow: readonly AllowedTarget[]): Promise<TestService> =>
  TestService.open([note], { now: () => now, webhooksAllow, database: { location: place.location } });
const network = (port: number): AllowedTarget => ({ kind: 'network', address: '127.0.0.1', prefix: 32, port });

const hook = async (service: TestService, url: string): Promise<string> => {
  const made = await service.send(`POST ${root}`, { as: 'ada', body: { url } });
  expect([made.status, made.json.errors]).toEqual([201, undefined]);
  return made.json.id;
};
const lastDelivery = async (service: TestService, id: string) =>
  (await service.send(`GET ${root}/${id}/deliveries`, { as: 'ada' })).json.items[0];
const change = async (service: TestService): Promise<void> => {
  await service.seed('notes', { title: 'One' });
  now += 1_000;
  await service.runJobs();
};

describe('a webhook', () => {
  test('whose name leads to an inner address by the time of a delivery sends nothing there, and goes on once it is back', async () => {
    let id: string;
    {
      // As it is saved, the name leads where it may.
      await using service = await open([{ kind: 'host', name: 'localhost', port: receiver.port }]);
      await service.account('ada', 'admin');
      id = await hook(service, `http://localhost:${receiver.port}/hooks`);
    }
    {
      await using service = await open([]);
      await service.account('eve', 'admin');
      await service.seed('notes', { title: 'One' });
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        now += 3_600_000;
        await service.runJobs();
        const { json } = await service.send(`GET ${root}/${id}/deliveries`, { as: 'eve' });
        expect(json.items).toMatchObject([
          {
            state: 'pending',
            attempts: attempt,
            last: { status: null, error: expect.stringContaining('not a public address') },
          },
        ]);
        // What the webhook was saved with stays, though it would be rejected now.
        const again = await service.send(`PUT ${root}/${id}`, {
          as: 'eve',
          body: { url: `http://localhost:${receiver.port}/` },
        });
        expect([again.status, again.json.errors[0].code]).toEqual([422, 'address_not_allowed']);
      }
      expect(receiver.received).toEqual([]);
    }
    await using service = await open([{ kind: 'host', name: 'localhost', port: null }]);
    now += 3_600_000;
    await service.runJobs();
    expect(receiver.received.map(({ json }) => json.type)).toEqual(['notes.create']);
  });

  test('follows no redirect, of whatever kind: not to an inner address, and not to one that is allowed', async () => {
    await using service = await open([network(receiver.port)]);
    await service.account('ada', 'admin');
    const id = await hook(service, receiver.url);
    const places = [inner.url, `//127.0.0.1:${inner.port}/`, receiver.url, '/hooks', 'file:///etc/passwd'];
    for (const [index, status] of [301, 302, 303, 307, 308].entries()) {
      receiver.respond = () => new Response(null, { status, headers: { Location: places[index] ?? '' } });
      const before = receiver.received.length;
      await change(service);
      expect(await lastDelivery(service, id)).toMatchObject({
        attempts: 1,
        last: { status, error: `Redirects are not followed: ${status}.` },
      });
      expect(receiver.received.length - before).toBeGreaterThan(0);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(index + 1);
    }
    expect(inner.received).toEqual([]);
  });
});
