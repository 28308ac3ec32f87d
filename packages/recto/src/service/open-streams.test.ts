import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { openTestDatabase } from '../../../../test/support/database/database.ts';
import { deployed } from '../../../../test/support/definitions.ts';
import { createLogger } from '../base/logger.ts';
import { readSettings } from '../config/settings.ts';
import { defineFeature } from '../features/feature.ts';
import { features } from '../features/index.ts';
import type { StreamSource } from '../http/responses/open-streams.ts';
import { openService } from './open-service.ts';

const secret = 'a secret of the tests, long enough';

/** A service with `GET /stream`, which `source` answers. */
async function serviceWith(source: StreamSource, lines: string[] = []) {
  const streaming = defineFeature({
    name: 'streaming',
    create: () => ({
      operations: () => [
        {
          id: 'stream',
          method: 'GET',
          path: '/stream',
          tag: 'test',
          summary: 'Streams.',
          security: 'none',
          responses: { 200: { description: 'Events.', mediaType: 'text/event-stream' } },
          problems: [503],
          handle: (context) => context.stream(source, { 'Content-Type': 'text/event-stream' }),
        },
      ],
    }),
  });
  const database = await openTestDatabase();
  const service = await openService({
    settings: {
      ...{ ...readSettings({}), secret, port: 0, adminEmail: 'a@example.com', adminPassword: 'correct horse' },
      stopTimeoutSecs: 3_600,
    },
    log: createLogger('warn', { write: (line) => lines.push(line) }),
    features: [...features, streaming],
    deployed: deployed([], []),
    database,
  });
  const { url } = await service.start();
  return { url: url ?? '', service, database };
}

interface Client {
  received: string;
  readonly closed: Promise<void>;
  leave(): void;
}

/** Resolves when the first event has come. */
function client(url: string): Promise<Client> {
  const { promise, resolve, reject } = Promise.withResolvers<Client>();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const closed = new Promise<void>((done) => socket.on('close', () => done()));
  const made: Client = { received: '', closed, leave: () => socket.destroy() };
  socket.on('error', reject);
  socket.on('data', (data) => {
    made.received += data;
    if (made.received.includes('data: 1')) resolve(made);
  });
  socket.write('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n');
  return promise;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });

test('a stop ends 1,000 open streams in order', async () => {
  let ended = 0;
  const lines: string[] = [];
  const { url, service, database } = await serviceWith(async ({ signal, write }) => {
    await write('data: 1\n\n');
    await aborted(signal);
    ended += 1;
  }, lines);
  const clients = await Promise.all(Array.from({ length: 1_000 }, () => client(url)));
  await service.stop();
  await Promise.all(clients.map(({ closed }) => closed));
  // The last chunk of RFC 9112, section 7.1: the answer is complete, not cut off.
  expect(clients.filter(({ received }) => !received.endsWith('\r\n0\r\n\r\n'))).toEqual([]);
  expect(ended).toBe(1_000);
  expect(lines).toEqual([]);
  await database.close();
});

test('a client that goes ends its stream', async () => {
  const ended = Promise.withResolvers<void>();
  const { url, service, database } = await serviceWith(async ({ signal, write }) => {
    await write('data: 1\n\n');
    await aborted(signal);
    ended.resolve();
  });
  (await client(url)).leave();
  await ended.promise;
  await service.stop();
  await database.close();
});

test('a source that fails cuts its answer off, and is logged', async () => {
  const lines: string[] = [];
  const failing = Promise.withResolvers<void>();
  const { url, service, database } = await serviceWith(async ({ write }) => {
    await write('data: 1\n\n');
    await failing.promise;
    throw new Error('the source failed');
  }, lines);
  const reader = await client(url);
  failing.resolve();
  await reader.closed;
  expect(reader.received).not.toEndWith('\r\n0\r\n\r\n');
  expect(lines.join('')).toContain('the source failed');
  await service.stop();
  await database.close();
});

test('HEAD writes nothing', async () => {
  let opened = 0;
  const { url, service, database } = await serviceWith(async () => {
    opened += 1;
  });
  const answer = await fetch(`${url}/stream`, { method: 'HEAD' });
  expect({ status: answer.status, type: answer.headers.get('content-type'), opened }).toEqual({
    ...{ status: 200, type: 'text/event-stream', opened: 0 },
  });
  await service.stop();
  await database.close();
});
