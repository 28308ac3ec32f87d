import { afterAll, describe, expect, test } from 'bun:test';
import { named, openApiWorld, openOperations, sendCall } from '../../support/openapi/openapi-agreement.ts';
import { askedWith, type Call, successCall } from '../../support/openapi/openapi-calls.ts';

const world = await openApiWorld({ maxBody: 50_000 });
const { service, reader } = world;
afterAll(() => service.database.close());

describe('each operation answers as documented', () => {
  const opened = named(openOperations(reader));

  test.each(opened)('%s: success', async (_, operation) => {
    const reply = await sendCall(service, operation, await successCall(world, operation));
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(reader.differences(operation, reply)).toEqual([]);
  });

  test.each(opened)('%s takes the documented parameters', async (_, operation) => {
    let call: Call | undefined;
    for (const name of operation.queryNames) {
      // What only reads finds the same once more.
      if (operation.method !== 'GET') call = undefined;
      call ??= await successCall(world, operation);
      const reply = await sendCall(service, operation, { ...call, path: `${call.path}?${parameterOf(name)}` });
      expect(reader.differences(operation, reply)).toEqual([]);
      expect([name, reply.json?.code]).not.toEqual([name, 'unknown_parameter']);
    }
  });

  const parameterOf = (name: string): string =>
    name === '__meta'
      ? '__meta.a=1'
      : `${name}=${name === 'sort' ? 'id:asc' : name === 'skip_total' ? 'true' : name === 'filter' ? 'id:isset' : '1'}`;

  test.each(named(reader.operations))('%s asks for a token where documented', async (_, operation) => {
    const reply = await sendCall(service, operation, askedWith(null, await successCall(world, operation)));
    expect(reader.differences(operation, reply)).toEqual([]);
    const needed = operation.security.length > 0 && operation.security.every((each) => 'bearer_auth' in each);
    expect([operation.operationId, reply.json?.code === 'authentication_required']).toEqual([
      operation.operationId,
      needed,
    ]);
  });
});
