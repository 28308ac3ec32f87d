import { afterAll, describe, expect, test } from 'bun:test';
import { named, openApiService, openApiWorld, sendCall, statusesOf } from '../../support/openapi/openapi-agreement.ts';
import { type Call, provokedStatuses, refusedCall, successCall } from '../../support/openapi/openapi-calls.ts';
import type { DocumentedOperation } from '../../support/openapi/openapi-reader.ts';
import { providerSettings } from '../../support/providers/provider-settings.ts';

/** Larger bodies are sent. */
const maxBody = 50_000;
const world = await openApiWorld({ maxBody });
const { service, reader } = world;
afterAll(() => service.database.close());

const having = (...statuses: readonly number[]) =>
  reader.operations.flatMap((operation) =>
    statusesOf(operation)
      .filter((status) => statuses.includes(status))
      .map((status) => [operation.operationId, status, operation] as const),
  );

describe('each documented refusal can be had, and no other', () => {
  /** Answers for which the service is made ready otherwise, below; and what a service that works never answers. */
  const apart = (id: string, status: number) =>
    status < 300 || [429, 500, 503, 507].includes(status) || readyOtherwise.has(`${id}: ${status}`);
  const readyOtherwise: ReadonlySet<string> = new Set(['register: 403', 'sendTestMail: 409', 'unlinkIdentity: 409']);

  test.each(named(reader.operations))('%s', async (id, operation) => {
    const documented = statusesOf(operation);
    let success: Call | undefined;
    for (const status of provokedStatuses(operation, documented)) {
      if (apart(id, status)) continue;
      success ??= await successCall(world, operation);
      const reply = await sendCall(service, operation, await refusedCall(status, world, operation, success));
      // What is refused for how it was sent changes nothing.
      if (![400, 401, 403, 405, 413, 415, 422].includes(reply.status)) success = undefined;
      expect(reader.differences(operation, reply)).toEqual([]);
      if (documented.includes(status)) expect(reply.status, reply.text).toBe(status);
    }
  });

  test('register: 403', async () => {
    await using closed = await openApiService({ maxBody, registrationOpen: false });
    const operation = reader.operation('register');
    const reply = await sendCall(closed, operation, await successCall({ ...world, service: closed }, operation));
    expect(reply.status).toBe(403);
    expect(reader.differences(operation, reply)).toEqual([]);
  });

  test('unlinkIdentity: 409', async () => {
    const off = await openApiWorld({ maxBody, settings: providerSettings });
    await using _service = off.service;
    const operation = reader.operation('unlinkIdentity');
    const call = await refusedCall(409, off, operation, await successCall(off, operation));
    const reply = await sendCall(off.service, operation, call);
    expect([reply.status, reply.json?.code]).toEqual([409, 'last_sign_in_method']);
    expect(reader.differences(operation, reply)).toEqual([]);
  });

  test('without mail: 409', async () => {
    const off = await openApiWorld({ maxBody, settings: {} });
    await using _service = off.service;
    for (const id of ['sendTestMail']) {
      const operation = reader.operation(id);
      const reply = await sendCall(off.service, operation, await successCall(off, operation));
      expect([id, reply.status, reply.json?.code]).toEqual([id, 409, 'mail_off']);
      expect(reader.differences(operation, reply)).toEqual([]);
    }
  });

  // How many streams a caller may open is held where streams are tested.
  test.each(having(429).filter(([id]) => id !== 'streamEvents'))('%s: %i', async (_, status, operation) => {
    const limited = await openApiWorld({ maxBody, rateLimit: true });
    await using _service = limited.service;
    const success = await successCall(limited, operation);
    for (let tries = 0; tries < 70; tries++) {
      const reply = await sendCall(limited.service, operation, await refusedCall(status, limited, operation, success));
      expect(reader.differences(operation, reply)).toEqual([]);
      if (reply.status === status) return;
    }
    throw new Error('the limit never came');
  });

  test('all of them: 503, when the database is gone', async () => {
    const gone = await openApiWorld({ maxBody });
    const calls: [DocumentedOperation, Call][] = [];
    for (const [, , operation] of having(503)) calls.push([operation, await successCall(gone, operation)]);
    await gone.service.database.close();
    for (const [operation, call] of calls) {
      const reply = await sendCall(gone.service, operation, call);
      expect([operation.operationId, reply.status]).toEqual([operation.operationId, 503]);
      expect(reader.differences(operation, reply)).toEqual([]);
    }
  });

  test('nothing else is documented but what is never wanted', () => {
    const known = [200, 201, 202, 204, 304, 308, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503, 507];
    expect(reader.operations.flatMap(statusesOf).filter((status) => !known.includes(status))).toEqual([]);
  });
});
