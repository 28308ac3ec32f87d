// databases: sqlite:rest
import { afterAll, describe, expect, test } from 'bun:test';
import { Secret, TOTP } from 'otpauth';
import { query } from '../support/database/database.ts';
import { named, openApiWorld, sendCall } from '../support/openapi/openapi-agreement.ts';
import { type Call, successCall } from '../support/openapi/openapi-calls.ts';
import type { DocumentedOperation } from '../support/openapi/openapi-reader.ts';
import type { Sent, TestService } from '../support/service.ts';

type App = Awaited<ReturnType<TestService['appWith']>>;

// Every operation of the OpenAPI document, asked by those who have not proved enough: none lets them through.

const bearer = (token: string): Sent => ({ headers: { Authorization: `Bearer ${token}` } });

/** A service, and an admin of it who has an app that shows codes. */
const world = await openApiWorld();
const { service, reader } = world;
afterAll(() => service[Symbol.asyncDispose]());

async function admin(of: TestService): Promise<string> {
  const name = `admin-${crypto.randomUUID()}`;
  await of.account(name, 'admin');
  return of.tokenOf(name);
}

async function post(of: TestService, path: string, body: unknown, sent: Sent = {}) {
  const { json } = await of.send(`POST /api/v1/auth/${path}`, { ...sent, ...(body === undefined ? {} : { body }) });
  return json;
}

/** The challenge of a sign-in by an admin who has the right password. */
async function challengeOf(of: TestService): Promise<string> {
  const name = `waiting-${crypto.randomUUID()}`;
  await of.account(name, 'admin');
  const token = of.tokenOf(name);
  const { secret } = await post(of, 'me/totp', undefined, bearer(token));
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await post(of, 'me/totp/confirm', { code }, bearer(token));
  const { code: problem, challenge } = await post(of, 'login', {
    email: `${name}@example.com`,
    password: 'correct horse',
  });
  expect(problem).toBe('second_factor_required');
  return challenge;
}

/** The request as the bearer of a token makes it. */
async function ask(operation: DocumentedOperation, token: string) {
  return sendCall(service, operation, { ...(await callOf(operation)), ...bearer(token) });
}

const ofBytes: ReadonlySet<string> = new Set(reader.ofBytes.map(({ operationId }) => operationId));

/** A request that would succeed; of those for bytes, one that finds its route. */
async function callOf(operation: DocumentedOperation): Promise<Call> {
  if (ofBytes.has(operation.operationId)) return { path: operation.path.replaceAll(/\{\w+\}/g, 'some') };
  const { as: _, headers: __, ...call } = await successCall(world, operation);
  return call;
}

const all = named([...reader.operations, ...reader.ofBytes]);
const challenge = await challengeOf(service);

describe('a challenge is no token', () => {
  test('there are routes', () => expect(all.length).toBeGreaterThan(200));

  test.each(all)('%s', async (_, operation) => {
    const reply = await ask(operation, challenge);
    expect([reply.status, reply.json?.code]).toEqual([401, 'invalid_token']);
  });
});

/** What a session may do that has to set up a second factor first. */
const duringSetup = [
  'beginPasskey',
  'beginTotp',
  'confirmTotp',
  'createPasskey',
  'createRecoveryCodes',
  'deletePasskey',
  'deleteTotp',
  'getAuthOptions',
  'getMe',
  'getSecondFactors',
  'getStepUpOptions',
  'listPasskeys',
  'logout',
  'renamePasskey',
  'renamePasskeyPatch',
  'stepUp',
];

describe('a session that lacks a demanded factor', () => {
  /** The same database, where the settings demand one. */
  let strict: App | undefined;
  let token = '';

  test.each(all)('%s', async (id, operation) => {
    strict ??= await service.appWith({ requireSecondFactor: 'admins' });
    token ||= await admin(service);
    const call = await callOf(operation);
    const reply = await sendCall(service, operation, { ...call, ...bearer(token), through: strict });
    const isLetThrough = reply.json?.code !== 'second_factor_setup_required';
    expect([id, isLetThrough]).toEqual([id, duringSetup.includes(id)]);
    if (!isLetThrough) expect(reply.status).toBe(403);
    // Signed out, and the passkeys of nobody else.
    if (id === 'logout') token = '';
  });
});

/** What takes a recent proof of a session, by the operation alone. */
const takesProof = [
  'beginPasskey',
  'beginTotp',
  'confirmTotp',
  'createApiToken',
  'createContentType',
  'createExport',
  'createPasskey',
  'createRecoveryCodes',
  'createRole',
  'deleteApiToken',
  'deleteContentType',
  'deletePasskey',
  'deleteRole',
  'deleteTotp',
  'deleteUser',
  'getExportFile',
  'inviteUser',
  'linkIdentity',
  'replaceContentType',
  'replaceRole',
  'resetSecondFactors',
  'startIdentityLink',
  'unlinkIdentity',
];

describe('a session without a recent proof', () => {
  let token = '';

  /** An admin's whose proof is over. */
  async function stale(): Promise<string> {
    const made = await admin(service);
    await service.database.transaction(async (transaction) =>
      transaction.run(query('UPDATE recto_sessions SET stepped_up_at = NULL WHERE account_id = ?', accountOf(made))),
    );
    return made;
  }

  test.each(all)('%s', async (id, operation) => {
    token ||= await stale();
    const reply = await ask(operation, token);
    const expected = takesProof.includes(id) || /^purge\w+Record$/.test(id);
    // Of these, it depends on what they change.
    const depends = [
      'createUser',
      'updateUser',
      'updateUserPatch',
      'createWebhook',
      'updateWebhook',
      'updateWebhookPatch',
    ];
    const isRefused = reply.json?.code === 'step_up_required';
    if (!depends.includes(id)) expect([id, isRefused]).toEqual([id, expected]);
    if (isRefused) expect(reply.json.methods).toEqual(['password']);
    if (['logout', 'changePassword', 'changePasswordPatch', 'stepUp'].includes(id)) token = '';
  });

  test('nothing is missing on the list', () => {
    const ids = new Set(all.map(([id]) => id));
    expect([...takesProof, ...duringSetup].filter((id) => !ids.has(id))).toEqual([]);
  });
});

/** The account that an access token is of. */
const accountOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub;
