import { expect, test } from 'bun:test';
import { TrustedProxies } from '../../http/proxies/trusted-proxies.ts';
import { HttpRequestContext } from '../../http/request-context.ts';
import type { Answer } from '../../records/answers/answer.ts';
import { readResponse } from './record-response.ts';

const limits = { maxBody: 1000, proxies: new TrustedProxies([]) };
const asked = (id: string, headers: Record<string, string> = {}): HttpRequestContext =>
  new HttpRequestContext(
    new Request('http://recto.test/', { headers: { 'X-Request-Id': id, ...headers } }),
    undefined,
    limits,
  );

const headersOf = ({ headers }: Response): Record<string, string> => Object.fromEntries(headers);

test('answers that are made one after the other share no header', () => {
  const hit: Answer = { body: '{"a":1}', etag: '"a"', cacheStatus: 'recto; hit', shared: true };
  const missed: Answer = { body: '{"b":1}', etag: '"b"', cacheStatus: 'recto; fwd=miss; stored' };
  const plain: Answer = { body: '{"c":1}', etag: '"c"' };
  const asks: readonly [Answer, string, Record<string, string>][] = [
    [hit, 'one', {}],
    [missed, 'two', {}],
    [plain, 'three', {}],
    [hit, 'four', {}],
    [hit, 'five', { 'If-None-Match': '"a"' }],
    [plain, 'six', {}],
    [hit, 'seven', {}],
  ];
  const responses = asks.map(([answer, id, headers]) => readResponse(answer, asked(id, headers)));
  // A handler may add to its own.
  responses[0]?.headers.set('Vary', 'Accept');
  const vary = 'Authorization, Recto-Tenant';
  const every = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff', vary };
  const json = { ...every, 'content-type': 'application/json' };
  expect(responses.map(headersOf)).toEqual([
    { ...json, etag: '"a"', 'cache-status': 'recto; hit', 'x-request-id': 'one', vary: 'Accept' },
    { ...json, etag: '"b"', 'cache-status': 'recto; fwd=miss; stored', 'x-request-id': 'two' },
    { ...json, etag: '"c"', 'x-request-id': 'three' },
    { ...json, etag: '"a"', 'cache-status': 'recto; hit', 'x-request-id': 'four' },
    { ...every, etag: '"a"', 'cache-status': 'recto; hit', 'x-request-id': 'five' },
    { ...json, etag: '"c"', 'x-request-id': 'six' },
    { ...json, etag: '"a"', 'cache-status': 'recto; hit', 'x-request-id': 'seven' },
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 304, 200, 200]);
});
