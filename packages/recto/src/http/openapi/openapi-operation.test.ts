import { expect, test } from 'bun:test';
import { anonymous } from '../../base/caller.ts';
import { createLogger } from '../../base/logger.ts';
import { createApp } from '../app.ts';
import { TrustedProxies } from '../proxies/trusted-proxies.ts';
import { openApiOperation, openApiPath } from './openapi-operation.ts';

test('a document that could not be made is made for the next request, then kept', async () => {
  let asked = 0;
  const document = async () => {
    asked += 1;
    if (asked === 1) throw new Error('too many open files');
    return { openapi: '3.1.0' };
  };
  const app = createApp({
    operations: [openApiOperation(document)],
    authenticator: { identify: () => anonymous, requireStepUp: async () => undefined },
    idempotency: {
      answer: () => {
        throw new Error('There is nothing to keep.');
      },
    },
    log: createLogger('silent'),
    maxBody: 1000,
    proxies: new TrustedProxies([]),
    corsOrigins: [],
  });
  const statuses: number[] = [];
  for (let request = 0; request < 3; request++) {
    statuses.push((await app.fetch(new Request(`http://localhost${openApiPath}`))).status);
  }
  expect(statuses).toEqual([500, 200, 200]);
  expect(asked).toBe(2);
});
