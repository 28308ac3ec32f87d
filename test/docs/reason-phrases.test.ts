import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { createLogger } from '../../packages/recto/src/base/logger.ts';
import { problemTitles } from '../../packages/recto/src/http/responses/problem-response.ts';
import { type Server, serve } from '../../packages/recto/src/http/server.ts';
import { documents, readDocument } from '../support/documents.ts';

// What the pages say of a status is what the service sends: the phrase after it, and the title of its problems.

let server: Server;

beforeAll(() => {
  const app = {
    fetch: ({ url }: Request) => new Response(null, { status: Number(new URL(url).pathname.slice(1)) }),
  };
  server = serve(() => app, { host: '127.0.0.1', port: 0, log: createLogger('silent') });
});
afterAll(() => server.stop(0));

/** The first line of an answer, as it is on the wire. */
async function statusLine(status: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const first = Promise.withResolvers<string>();
  let received = '';
  socket.on('data', (data) => {
    received += data.toString();
    if (received.includes('\r\n')) first.resolve(received.split('\r\n')[0] ?? '');
  });
  socket.on('error', first.reject);
  socket.write(`GET /${status} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const line = await first.promise;
  socket.destroy();
  return line;
}

test('every status line of the pages is one that the service sends', async () => {
  const lines = new Map<string, string>();
  for (const { path, text } of documents()) {
    for (const [line] of text.matchAll(/^HTTP\/1\.1 \d{3}.*$/gm)) lines.set(line, path);
  }
  expect(lines.size).toBeGreaterThan(8);
  for (const [line, page] of lines) {
    const [, status = ''] = line.split(' ');
    expect([page, line]).toEqual([page, await statusLine(status)]);
  }
});

test('the table of statuses is that of the service', async () => {
  const { text } = readDocument('docs/rest-api.md');
  const rows = [...text.matchAll(/^\| (\d{3}) ([^|]+) \| ([^|]+) \|$/gm)];
  expect(Object.fromEntries(rows.map(([, status, , title]) => [status, title]))).toEqual({ ...problemTitles });
  for (const [, status = '', phrase = ''] of rows) {
    expect(await statusLine(status)).toBe(`HTTP/1.1 ${status} ${phrase}`);
  }
});
