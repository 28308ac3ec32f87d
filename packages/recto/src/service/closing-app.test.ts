import { expect, test } from 'bun:test';
import type { App } from '../http/app.ts';
import { closingApp } from './closing-app.ts';

const request = new Request('http://localhost/');
const response = () => new Response('body', { status: 201 });

test.each<[string, App['fetch']]>([
  ['an answer', () => response()],
  ['an answer to come', () => Promise.resolve(response())],
])('%s is passed on as it is, and closes the connection', async (_kind, fetch) => {
  const answer = await closingApp({ fetch }).fetch(request);
  expect(answer.headers.get('connection')).toBe('close');
  expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 201, body: 'body' });
});

test('the peer address is passed on', async () => {
  const echo: App = { fetch: (given, peerAddress) => new Response(peerAddress?.(given)) };
  expect(await (await closingApp(echo).fetch(request, () => '192.0.2.1')).text()).toBe('192.0.2.1');
});
