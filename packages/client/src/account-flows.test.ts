// databases: sqlite, postgres:rest
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mailSettings } from '../../../test/support/mail-server.ts';
import { TestService } from '../../../test/support/service.ts';
import { createClient, RectoError } from './index.ts';

const settings = { ...mailSettings({ kind: 'log' }), verifyEmail: 'on', signInCodes: 'all' } as const;
let service: TestService;
beforeAll(async () => {
  service = await TestService.open([], { settings });
  await service.account('ada', 'admin');
});
afterAll(() => service?.[Symbol.asyncDispose]());

const [password, other] = ['correct horse', 'battery staple'];
const clientOf = ({ app }: TestService) =>
  createClient({ url: 'http://recto.test', fetch: async (request) => app.fetch(request) });
const client = () => clientOf(service);

/** What the newest mail to an address says, once the outbox is empty. */
async function nextMail(address: string): Promise<string> {
  await service.runJobs();
  const { json } = await service.send('GET /api/v1/admin/mails', { as: 'ada' });
  return json.items.find(({ to }: { readonly to: string }) => to === address)?.text ?? '';
}

const nextToken = async (address: string) => /#(rat_[\w-]+)/.exec(await nextMail(address))?.[1] ?? '';

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof RectoError) return error.code;
    throw error;
  }
  throw new Error('The call did not fail.');
}

test('an address is confirmed and a forgotten password replaced', async () => {
  const [recto, guest] = [client(), client()];
  const email = 'ann@example.org';
  expect((await recto.auth.register({ email, password }))?.email).toBe(email);
  expect(await recto.auth.options()).toEqual({
    ...{ registration: 'open', mail: true },
    ...{ verify_email: 'on', sign_in_codes: 'all', password_sign_in: 'on' },
    ...{ passkeys: true, require_second_factor: 'off', site_name: 'Recto' },
  });
  // The mail of the registration first: only the newest link works, and mails written at once come in any order.
  const older = await nextToken(email);
  await recto.auth.requestVerification();
  const token = await nextToken(email);
  expect(await codeOf(guest.auth.verify(older))).toBe('invalid_link');
  await guest.auth.verify(token);
  expect((await recto.auth.me()).verified).toBe(true);
  expect(await codeOf(guest.auth.verify(token))).toBe('invalid_link');
  await guest.auth.forgotPassword(email);
  await guest.auth.resetPassword({ token: await nextToken(email), new_password: other });
  expect(await guest.auth.signedIn()).toBe(false);
  expect(await codeOf(recto.auth.me())).toBe('invalid_token');
  expect((await guest.auth.login({ email, password: other })).email).toBe(email);
});

test('a new address is confirmed, and taken back by the old one', async () => {
  const [recto, guest] = [client(), client()];
  const [before, after] = ['ben@example.org', 'ben.new@example.org'];
  await recto.auth.register({ email: before, password });
  await guest.auth.verify(await nextToken(before));
  const changed = await recto.auth.update({ email: after, current_password: password });
  expect([changed.email, changed.pending_email]).toEqual([before, after]);
  await guest.auth.confirmEmailChange(await nextToken(after));
  expect((await recto.auth.me()).email).toBe(after);
  await guest.auth.revertEmailChange(await nextToken(before));
  expect(await codeOf(recto.auth.me())).toBe('invalid_token');
});

test('an invitation and a code sign in', async () => {
  const email = 'eve@example.org';
  const made = await service.send('POST /api/v1/admin/users', { as: 'ada', body: { email, invite: true } });
  expect(made.status).toBe(201);
  const invited = client();
  const token = await nextToken(email);
  const account = await invited.auth.acceptInvitation({ token, password, username: 'eve' });
  expect(account).toMatchObject({ email, username: 'eve' });
  expect((await invited.auth.me()).id).toBe(account.id);
  expect(await codeOf(client().auth.acceptInvitation({ token, password }))).toBe('invalid_link');

  const recto = client();
  const { challenge, expires_in } = await recto.auth.requestCode(email);
  expect(expires_in).toBe(600);
  const code = /\b\d{4} \d{4}\b/.exec(await nextMail(email))?.[0] ?? '';
  expect(await codeOf(recto.auth.signInWithCode({ challenge, code: 'wrong' }))).toBe('invalid_code');
  expect((await recto.auth.signInWithCode({ challenge, code })).id).toBe(account.id);
  expect((await recto.auth.me()).id).toBe(account.id);
});

test('registering signs nobody in where the address is to be confirmed first', async () => {
  await using strict = await TestService.open([], { settings: { ...settings, verifyEmail: 'required' } });
  const recto = clientOf(strict);
  expect(await recto.auth.register({ email: 'ann@example.org', password })).toBeUndefined();
  expect(await recto.auth.signedIn()).toBe(false);
  expect(await codeOf(recto.auth.login({ email: 'ann@example.org', password }))).toBe('email_not_verified');
});

test('with a cookie, an invitation and a code ask for one', async () => {
  const bodies: unknown[] = [];
  const signedIn = { access_token: 'a', expires_in: 900, user: { id: 'x' } };
  const recto = createClient({
    url: 'http://recto.test',
    session: 'cookie',
    fetch: async (request) => {
      bodies.push(await request.json());
      return Response.json(signedIn);
    },
  });
  await recto.auth.acceptInvitation({ token: 't', password });
  await recto.auth.signInWithCode({ challenge: 'c', code: '1' });
  expect(bodies).toEqual([
    { token: 't', password, session: 'cookie' },
    { challenge: 'c', code: '1', session: 'cookie' },
  ]);
});
