// databases: sqlite, postgres:rest
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { codeOf, setUp } from '../../packages/admin/src/screens/sign-in/set-up.ts';
import { TestService } from '../support/service.ts';

let service: TestService;
let server: ReturnType<typeof Bun.serve>;
let code = '';
/** Called before a request is answered. */
let before: (line: string) => Promise<void> | void = () => undefined;
/** Called after a request was answered. */
let after: (line: string) => void = () => undefined;

beforeAll(async () => {
  service = await TestService.open([], { builtIn: true });
  code = await service.firstAdminCode();
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const line = `${request.method} ${new URL(request.url).pathname}`;
      await before(line);
      const response = await service.app.fetch(request);
      after(line);
      return response;
    },
  });
});
afterAll(async () => {
  await server.stop(true);
  await service[Symbol.asyncDispose]();
});

test('of two who use the code at the same time, one gets in, with both the address and the password that they chose', async () => {
  const both = Promise.withResolvers<void>();
  let addresses = 0;
  after = (line) => {
    addresses += Number(line === 'PUT /api/v1/auth/me');
    if (addresses === 2) both.resolve();
  };
  before = (line) => (line === 'PUT /api/v1/auth/me/password' ? both.promise : undefined);
  const people = ['ines@example.org', 'tom@example.org'].map((email) => ({ email, password: `password of ${email}` }));
  const outcomes = await Promise.allSettled(people.map((one) => setUp({ url: server.url.origin, code, ...one })));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const winner = people[outcomes.findIndex(({ status }) => status === 'fulfilled')];
  const statuses = await Promise.all(
    people.map(async (body) => (await service.send('POST /api/v1/auth/login', { body })).status),
  );
  expect(statuses).toEqual(people.map((one) => (one === winner ? 200 : 401)));
});

test('a code is read from the address, however it is spelled', () => {
  expect(['#a%2Bb', '#%', ''].map(codeOf)).toEqual(['a+b', '%', '']);
});
