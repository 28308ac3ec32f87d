import fc from 'fast-check';
import Type from 'typebox';
import { preferenceLimits } from '../../../packages/recto/src/admin-views/saved-view.ts';
import type { Account } from '../../../packages/recto/src/auth/account.ts';
import { type AccountTokenKind, generationOf } from '../../../packages/recto/src/auth/flows/account-token-store.ts';
import { tokenHash } from '../../../packages/recto/src/auth/opaque-token.ts';
import { challengeOf } from '../../../packages/recto/src/auth/providers/provider-code-store.ts';
import { newId } from '../../../packages/recto/src/base/ids.ts';
import type { ContentType, Field } from '../../../packages/recto/src/definition/content-type.ts';
import { hasLinks } from '../../../packages/recto/src/definition/structure/inner-links.ts';
import { query } from '../database/database.ts';
import { SoftwarePasskey } from '../passkeys/software-authenticator.ts';
import type { Sent, TestService } from '../service.ts';
import { withExisting } from './inner-relations.ts';
import { noteCalls, noteRefusals } from './note-calls.ts';
import type { DocumentedOperation, OpenApiReader } from './openapi-reader.ts';
import { pictureCalls } from './picture-calls.ts';
import { previewCalls } from './preview-calls.ts';
import { releaseCalls, releaseRefusals } from './release-calls.ts';
import { valuesOf } from './schema-values.ts';

/** One request, ready to be sent. */
export interface Call extends Sent {
  readonly path: string;
}

/** A service with what the calls need: `ada` is its only admin, `mia` a member, `tess` one of a tenant, and `robot` the API token of an admin. */
export interface World {
  readonly service: TestService;
  readonly reader: OpenApiReader;
  readonly robot: string;
}

type Body = Readonly<Record<string, unknown>>;
type MakeCall = (world: World, operation: DocumentedOperation) => Promise<Call> | Call;

/** What a schema cannot say of these fields (bounds of exact numbers), so that made values would not do; and what rules ask for. */
const fitting: Readonly<Record<string, Body>> = {
  specimens: { big: '5', rate: '0.5', season: '2026-11-21', secret: 'a', parent: null },
  marvels: {
    ...{ big: '5', rate: '0.5', season: '2026-11-21', secret: 'a', parent_id: null },
    ...{ tenant_id: null, expires_at: null, scheduled_at: null },
  },
  articles: { status: 'draft', scheduled_at: null },
  tickets: { weight: 1 },
  relics: { expires_at: null },
  pages: { cover_image: '/a.png', status: 'Draft' },
  posts: { cover_image: '/a.png', status: 'Draft' },
  categories: { parent_id: null },
  media: { crop: { x: 0.1, y: 0.2, width: 0.5, height: 0.6 } },
};

let count = 0;
const fresh = (): string => `n${++count}`;

/** A body that the document's schema describes, with related records that exist. */
export async function documentedBody(
  { service, reader }: World,
  operation: DocumentedOperation,
  type: ContentType,
): Promise<Body> {
  if (operation.bodySchema === undefined) throw new Error(`${operation.operationId} takes no body.`);
  const [value] = fc.sample(valuesOf(operation.bodySchema, reader.resolve), { numRuns: 1, seed: ++count });
  // No text may hold U+0000, which no schema says.
  const made: Body = JSON.parse(JSON.stringify(value).replaceAll('\\u0000', 'x'));
  const related: Record<string, unknown> = {};
  const author = type.fields.some(hasLinks) ? (await seeded(service, 'author')).id : '';
  for (const field of type.fields) {
    const { name, place } = field;
    if (!Object.hasOwn(made, name)) continue;
    if (field.structure !== undefined) related[name] = withExisting(field, made[name], () => author);
    if (isLikelyTaken(field, made[name])) related[name] = fresh();
    if (place.shape === 'to_one') {
      const isAccount = service.types.get(place.target).plural === 'users';
      related[name] = isAccount ? service.idOf('ada') : (await seeded(service, place.target)).id;
    }
    if (place.shape === 'to_many') related[name] = [(await seeded(service, place.target)).id];
  }
  // A number of related records that the body does not have is rejected.
  const counted = Object.entries(made).filter(([name]) => !name.endsWith('_total'));
  return { ...Object.fromEntries(counted), ...related, ...fitting[type.plural] };
}

/** Short random slugs come twice now and then, and the second one is refused. */
const isLikelyTaken = ({ type }: Field, value: unknown): boolean =>
  type.alwaysUnique && typeof value === 'string' && value.length < 8;

/** What a record of each type is made of. */
async function content(service: TestService, singular: string): Promise<Body> {
  switch (singular) {
    case 'specimen':
      return {
        label: fresh(),
        grade: 1,
        colour: 'red',
        keeper: (await seeded(service, 'author')).id,
        labels: [(await seeded(service, 'topic')).id],
      };
    case 'marvel':
      return { label: fresh() };
    case 'author':
    case 'category':
    case 'topic':
    case 'vault':
      return { name: fresh() };
    case 'preference':
    case 'motto':
    case 'site-settings':
      return {};
    case 'page':
    case 'post':
      return { title: fresh(), status: 'Published' };
    default:
      return { title: fresh() };
  }
}

/** The answer to a request that makes what another one needs. */
async function posted(service: TestService, request: string, sent: Sent) {
  const reply = await service.send(request, sent);
  if (reply.status >= 300) throw new Error(`${request} failed: ${reply.text}`);
  return reply.json;
}

export async function seeded(
  service: TestService,
  singular: string,
  more: Body = {},
): Promise<{ readonly id: string; readonly slug?: string; readonly lock_version?: number }> {
  const type = service.types.get(singular);
  const path = `/api/v1/${type.ownRoutes ? '' : 'admin/cms/'}${type.plural}`;
  if (type.kind === 'single') return (await service.send(`GET ${path}`, { as: 'ada' })).json.items[0];
  if (singular === 'media') return seededFile(service);
  return posted(service, `POST ${path}`, { as: 'ada', body: { ...(await content(service, singular)), ...more } });
}

const tinyPicture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
let pictures: ReturnType<typeof Bun.serve> | undefined;

/** Where the service can fetch a picture whose bytes it does not have yet. */
function pictureAddress(): string {
  if (pictures === undefined) {
    const fetch = (): Response =>
      new Response(Buffer.concat([Buffer.from(tinyPicture, 'base64'), Buffer.from(fresh())]));
    pictures = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch });
    // It does not keep the tests from ending.
    pictures.unref();
  }
  return new URL(`/${fresh()}.png`, pictures.url).href;
}

async function seededFile(service: TestService): Promise<{ readonly id: string }> {
  const body = new TextEncoder().encode(fresh());
  return posted(service, `POST /api/v1/media?name=${fresh()}`, {
    ...{ as: 'ada', headers: { 'Content-Type': 'text/plain' }, body },
  });
}

/** A route on the records of a type, found in its path alone. */
export function generatedRoute(service: TestService, { method, path }: DocumentedOperation) {
  const [, admin, name = '', rest = ''] = /^\/api\/v1\/(admin\/)?(?:cms\/)?([^/]+)(.*)$/.exec(path) ?? [];
  const type = service.types.all.find(
    (each) => each.plural === name || (each.kind === 'single' && each.singular === name),
  );
  if (type === undefined) return undefined;
  if (type.ownRoutes && !/^(\/\{(id|slug)\}|\/aggregate|\/\{id\}\/duplicate)?$/.test(rest)) return undefined;
  const byId = rest.startsWith('/{');
  const single = type.kind === 'single' && admin === undefined;
  const action =
    rest.endsWith('/update') || method === 'PUT' || method === 'PATCH'
      ? 'update'
      : rest.endsWith('/delete') || method === 'DELETE'
        ? 'delete'
        : method === 'POST'
          ? 'create'
          : byId || single
            ? 'get'
            : 'list';
  return { type, action, admin: admin !== undefined } as const;
}

/** The notes on a record of any type. */
const onNotes: MakeCall = async ({ service }, { path, bodySchema }) => {
  const [, plural = ''] = /\/([^/]+)\/\{id\}\/notes$/.exec(path) ?? [];
  const type = service.types.all.find((each) => each.plural === plural);
  if (type === undefined) throw new Error(`There is no type of ${path}.`);
  const { id } = await seeded(service, type.singular);
  const called = { path: path.replace('{id}', id), as: 'ada' };
  return bodySchema === undefined ? called : { ...called, body: { text: 'A note' } };
};

/** How a generated route is called so that it does what it is for. */
const generated: MakeCall = async (world, operation) => {
  const { service } = world;
  if (operation.path.endsWith('/notes')) return onNotes(world, operation);
  const route = generatedRoute(service, operation);
  if (route === undefined) throw new Error(`Nobody knows how to call ${operation.operationId}: add it to this file.`);
  const { type, action } = route;
  // The one record of a single type makes room for the creation.
  if (type.kind === 'single' && action === 'create') {
    const { id } = await seeded(service, type.singular);
    await service.send(`DELETE /api/v1/admin/cms/${type.plural}/${id}`, { as: 'ada' });
  }
  if (operation.path.endsWith('/batch')) {
    const { id, lock_version: version } = await seeded(service, type.singular);
    const set = version === undefined ? {} : { lock_version: version };
    return { path: operation.path, as: 'ada', body: { action: 'update', ids: [id], set } };
  }
  const record = operation.path.includes('{') ? await seeded(service, type.singular) : undefined;
  const path = operation.path.replace('{id}', record?.id ?? '').replace('{slug}', record?.slug ?? '');
  if (operation.bodySchema === undefined) return { path, as: 'ada' };
  // What no two records may have is sent for the copy.
  if (operation.path.endsWith('/duplicate')) return { path, as: 'ada', body: { set: await ownValues(world, type) } };
  const body = await documentedBody(world, operation, type);
  // Keeps a record that is immutable in part, and one that is locked, as it is.
  const { born: _, lock_version: __, ...rest } = body;
  const version =
    action === 'update' && record?.lock_version !== undefined ? { lock_version: record.lock_version } : {};
  return { path, as: 'ada', body: action === 'update' ? { ...rest, ...version } : body };
};

/** Values of a new record of a type, in the fields that no two records may share. */
async function ownValues(world: World, type: ContentType): Promise<Readonly<Record<string, unknown>>> {
  const values: Body = await content(world.service, type.singular);
  const own = type.fields.filter(({ unique, type: kind }) => kind.secret || (unique && !kind.alwaysUnique));
  return Object.fromEntries(own.flatMap(({ name }) => (name in values ? [[name, values[name]]] : [])));
}

/** A record that has been deleted, for the routes that are for such alone. */
const onDeleted: MakeCall = async (world, operation) => {
  const { service } = world;
  const [, plural = ''] = /\/admin\/cms\/([^/]+)\//.exec(operation.path) ?? [];
  const type = service.types.all.find((each) => each.plural === plural);
  if (type === undefined) throw new Error(`There is no type of ${operation.path}.`);
  const { id } = await seeded(service, type.singular);
  await service.send(`DELETE /api/v1/admin/cms/${plural}/${id}`, { as: 'ada' });
  return { path: operation.path.replace('{id}', id), as: 'ada' };
};

const registration = (name = fresh()) => ({ email: `${name}@example.com`, password: 'correct horse' });

async function user({ service }: World): Promise<{ id: string; access_token: string; refresh_token: string }> {
  const json = await posted(service, 'POST /api/v1/auth/register', { body: registration() });
  return { ...json, id: json.user.id };
}

async function invited({ service }: World): Promise<string> {
  const body = { email: registration().email, invite: true };
  return (await posted(service, 'POST /api/v1/admin/users', { as: 'ada', body })).id;
}

/** The stored account of somebody who has registered. */
async function accountFor(world: World, id?: string): Promise<Account> {
  const { accounts, database } = world.service.auth;
  const account = await accounts.byId(database, id ?? (await user(world)).id);
  if (account === undefined) throw new Error('There is no such account.');
  return account;
}

/** The code that an app shows now. */
async function totpCode(secret: string): Promise<string> {
  const { Secret, TOTP } = await import('otpauth');
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
}

/** Somebody with an app that shows codes. */
async function withFactor(world: World) {
  const { id, access_token } = await user(world);
  const { email } = await accountFor(world, id);
  const headers = bearer(access_token);
  const { secret } = await posted(world.service, 'POST /api/v1/auth/me/totp', { headers });
  const sent = { headers, body: { code: await totpCode(secret) } };
  const { recovery_codes } = await posted(world.service, 'POST /api/v1/auth/me/totp/confirm', sent);
  const recoveryCodes: readonly string[] = recovery_codes;
  return { id, email, headers, recoveryCodes, credentials: { email, password: 'correct horse' } };
}

/** A code as it is mailed, to this account or a new one. */
async function mailedCode(world: World, id?: string) {
  const account = await accountFor(world, id);
  const { database, accounts, accountTokens } = world.service.auth;
  // A member of an address that nobody has confirmed would lose all it has.
  await database.transaction((transaction) => accounts.update(transaction, account.id, { verified: true }, Date.now()));
  const [challenge, code] = [`rch_${fresh()}`, '12345678'];
  await database.transaction((transaction) =>
    accountTokens.issueCode(
      transaction,
      { challenge: tokenHash(challenge), code },
      { ...account, address: account.email },
      Date.now(),
    ),
  );
  return { challenge, code };
}

const challenged = new WeakMap<TestService, Promise<string>>();

/** Another challenge of the same account each time, as if it had signed in with its password. */
async function freshChallenge(world: World, call: Call): Promise<Call> {
  const { service } = world;
  const id = challenged.get(service) ?? withFactor(world).then((made) => made.id);
  challenged.set(service, id);
  const account = await accountFor(world, await id);
  const { database, challenges } = service.auth;
  const waiting = {
    ...({ purpose: 'second_factor', first: 'password' } as const),
    ...{ account: account.id, passwordGeneration: generationOf(account.passwordHash) },
  };
  const challenge = await database.transaction((transaction) => challenges.issue(transaction, waiting, Date.now()));
  return { ...call, body: { ...Object(call.body), challenge } };
}

/** By an account that has as many as there may be. */
async function manyPasskeys({ service }: World, call: Call): Promise<Call> {
  const { json } = await service.send('GET /api/v1/auth/me', call);
  const { database, passkeys } = service.auth;
  await database.transaction(async (transaction) => {
    for (let number = 0; number < 50; number++)
      await passkeys.add(
        transaction,
        {
          ...{ account: json.id, credentialId: `${fresh()}-made`, publicKey: 'AA', counter: 0, transports: [] },
          ...{ backedUp: false, aaguid: null, name: 'Made' },
        },
        Date.now(),
      );
  });
  return call;
}

/** Somebody with a passkey; `id` is that of the passkey. */
async function withPasskey(world: World) {
  const headers = bearer((await user(world)).access_token);
  const { challenge, options } = await posted(world.service, 'POST /api/v1/auth/me/passkeys/options', { headers });
  const passkey = new SoftwarePasskey('https://cms.example.com');
  const body = { challenge, response: passkey.created(options) };
  const added = await posted(world.service, 'POST /api/v1/auth/me/passkeys', { headers, body });
  const id: string = added.passkey.id;
  return { id, headers, passkey };
}

/** With the token of a link that was mailed. */
const withLink =
  (kind: Exclude<AccountTokenKind, 'sign_in_code'>, more: Body = {}): MakeCall =>
  async (world, { path }) => {
    const account = await accountFor(world, kind === 'invitation' ? await invited(world) : undefined);
    const { database, accounts, accountTokens } = world.service.auth;
    const address = kind.startsWith('email_') ? registration().email : account.email;
    const token = await database.transaction(async (transaction) => {
      if (kind === 'email_change')
        await accounts.update(transaction, account.id, { pendingEmail: address }, Date.now());
      return accountTokens.issue(transaction, kind, { ...account, address }, Date.now());
    });
    return { path, body: { token, ...more } };
  };

/** Somebody who has come back from a provider, as one who signs in to an account or as one who is signed in. */
async function comeBackFrom({ service }: World, purpose: 'sign_in' | 'link', account?: string) {
  const { database, identities, providerCodes } = service.auth;
  const verifier = 'v'.repeat(43);
  const named = { provider: 'main', issuer: 'https://github.com', subject: fresh(), email: null };
  const code = { ...named, purpose, challenge: challengeOf(verifier), mfa: false };
  return database.transaction(async (transaction) => {
    const identity = account && (await identities.insert(transaction, { ...named, account }, Date.now()));
    const token = await providerCodes.issue(transaction, code, Date.now());
    return { id: identity ? identity.id : '', body: { code: token, verifier } };
  });
}

const ofUser: MakeCall = async (world, { path }) => ({ path: path.replace('{id}', (await user(world)).id), as: 'ada' });

async function token({ service }: World): Promise<{ id: string }> {
  const body = { name: fresh(), role: 'admin' };
  return posted(service, 'POST /api/v1/admin/api-tokens', { as: 'ada', body });
}

const ticketFields = [{ name: 'title', field_type: 'text' }];

/** A content type that was made through the API. */
async function madeType({ service }: World): Promise<{ singular: string; plural: string }> {
  const singular = fresh();
  const body = { singular, plural: `${singular}s`, fields: ticketFields };
  return posted(service, 'POST /api/v1/admin/content-types', { as: 'ada', body });
}

/** A role that this test has made. */
const ofRole: MakeCall = async ({ service }, { path }) => {
  const { name } = await posted(service, 'POST /api/v1/admin/roles', { as: 'ada', body: { name: fresh() } });
  return { path: path.replace('{name}', name), as: 'ada' };
};

/** The role that the service of these tests has from a file. */
const ofRoleFile: MakeCall = (_, { path }) => ({
  path: path.replace('{name}', 'shelf'),
  as: 'ada',
  body: {},
});

const ofType: MakeCall = async (world, { path }) => ({
  path: path.replace('{singular}', (await madeType(world)).singular),
  as: 'ada',
});

/** A comment by `ada`, on a post of its own. */
async function comment({ service }: World): Promise<{ id: string }> {
  const { slug } = await seeded(service, 'post');
  const body = { content: fresh() };
  return posted(service, `POST /api/v1/posts/${slug}/comments/authed`, { as: 'ada', body });
}

const several =
  (singular: string): MakeCall =>
  async ({ service }, { path }) => {
    const records = await Promise.all([seeded(service, singular), seeded(service, singular)]);
    return { path, as: 'ada', body: { action: 'archive', ids: records.map(({ id }) => id) } };
  };

const stated =
  (singular: string): MakeCall =>
  async ({ service }, { path }) => {
    const { id } = await seeded(service, singular);
    return { path: path.replace('{id}', id), as: 'ada', body: { status: 'Archived' } };
  };

const moderated: MakeCall = async (world, { path }) => ({
  path: path.replace('{id}', (await comment(world)).id),
  as: 'ada',
  body: { status: 'Approved' },
});

const ofComment: MakeCall = async (world, { path }) => ({
  path: path.replace('{id}', (await comment(world)).id),
  as: 'ada',
});

const ofPost =
  (call: () => Partial<Call>): MakeCall =>
  async ({ service }, { path }) => ({
    path: path.replace('{slug}', (await seeded(service, 'post')).slug ?? ''),
    ...call(),
  });

const bearer = (access: string) => ({ Authorization: `Bearer ${access}` });
const asAda: MakeCall = (_, { path }) => ({ path, as: 'ada' });
const asVisitor: MakeCall = (_, { path }) => ({ path });

/** The routes of the versions of a type's records, of a record that has one. */
const ofRevisions = (stem: string, singular: string): Readonly<Record<string, MakeCall>> => {
  const call: MakeCall = async ({ service }, { path }) => {
    const { id } = await seeded(service, singular);
    return { path: path.replace('{id}', id).replace(/\{(revision|a|b)\}/g, '1'), as: 'ada' };
  };
  return {
    [`list${stem}RecordRevisions`]: call,
    [`get${stem}RecordRevision`]: call,
    [`name${stem}RecordRevision`]: async (world, operation) => ({
      ...(await call(world, operation)),
      body: { name: fresh() },
    }),
    [`diff${stem}RecordRevisions`]: call,
    [`restore${stem}RecordRevision`]: call,
  };
};

/** A published record that has a draft, and the path of the draft's routes. */
async function drafted(
  { service }: World,
  { path }: Pick<DocumentedOperation, 'path'>,
  singular: string,
  more: Body,
  changes: Body = { title: fresh() },
): Promise<Call> {
  const { id } = await seeded(service, singular, more);
  const one = path.replace(/\/[^/]*$/, '').replace('{id}', id);
  const reply = await service.send(`PUT ${one}?draft=true`, { as: 'ada', body: changes });
  if (reply.status !== 200) throw new Error(`Drafting failed: ${reply.text}`);
  return { path: path.replace('{id}', id), as: 'ada' };
}

const ofDrafts = (
  stem: string,
  singular: string,
  more: Body = {},
  changes?: () => Body,
): Readonly<Record<string, MakeCall>> => ({
  [`publish${stem}Record`]: (world, operation) => drafted(world, operation, singular, more, changes?.()),
  [`discard${stem}RecordDraft`]: (world, operation) => drafted(world, operation, singular, more, changes?.()),
});

/** A draft whose slug another record has by now. */
const draftRefusals = (
  stem: string,
  singular: string,
  more: Body = {},
): Readonly<Record<string, Record<number, Refusal>>> => ({
  [`publish${stem}Record`]: {
    422: async (world, operation) => {
      const slug = fresh();
      const call = await drafted(world, operation, singular, more, { slug });
      await seeded(world.service, singular, { slug });
      return call;
    },
  },
});

/** A version whose slug another record has by now. */
const takenSlug =
  (singular: string): Refusal =>
  async ({ service }, { path }) => {
    const { id, slug = '' } = await seeded(service, singular);
    const one = path.replace(/\/revisions.*/, '').replace('{id}', id);
    await service.send(`PUT ${one}`, { as: 'ada', body: { slug: fresh() } });
    await seeded(service, singular, { slug });
    return { path: `${one}/revisions/1/restore`, as: 'ada' };
  };

/** Nothing listens there, and nobody writes archives: each event that cannot be delivered is tried again and again. */
const newWebhook = { url: 'http://127.0.0.1:9/', types: ['archive'] };

async function webhook({ service }: World): Promise<{ readonly id: string }> {
  return posted(service, 'POST /api/v1/admin/webhooks', { as: 'ada', body: newWebhook });
}

const ofWebhook: MakeCall = async (world, { path }) => ({
  path: path.replace('{id}', (await webhook(world)).id),
  as: 'ada',
});

async function savedView({ service }: World): Promise<{ readonly id: string }> {
  return posted(service, 'POST /api/v1/admin/views', { as: 'ada', body: newView() });
}

let views = 0;
/** Of a name that no other has. */
const newView = () => ({
  ...{ type: 'articles', name: `View ${++views}`, shared: true, filter: '', search: '', sort: '', columns: ['title'] },
});

const ofSavedView: MakeCall = async (world, { path }) => ({
  path: path.replace('{id}', (await savedView(world)).id),
  as: 'ada',
});

const ofPreference: MakeCall = (_, { path }) => ({ path: path.replace('{name}', 'theme'), as: 'ada' });

const jobType = { name: 'test.waits', payload: Type.Object({}) };

/** A job that waits. */
async function ofImport({ service }: World, { path }: DocumentedOperation): Promise<Call> {
  const { id } = await posted(service, 'POST /api/v1/admin/imports?format=records&type=category&name=a.ndjson', {
    as: 'ada',
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: '{}',
  });
  return { path: path.replace('{id}', id), as: 'ada' };
}

async function ofExport({ service }: World, { path }: DocumentedOperation): Promise<Call> {
  const { id } = await posted(service, 'POST /api/v1/admin/exports', { as: 'ada', body: { type: 'category' } });
  return { path: path.replace('{id}', id), as: 'ada' };
}

async function ofPresence({ service }: World, { path }: DocumentedOperation): Promise<Call> {
  const { id } = await seeded(service, 'page');
  return { path: path.replace('{type}', 'page').replace('{id}', id), as: 'ada' };
}

async function ofJob({ service }: World, { path }: DocumentedOperation): Promise<Call> {
  const id = await service.jobs.enqueue(jobType, {});
  return { path: path.replace('{id}', id), as: 'ada' };
}

/** How all others are called so that they do what they are for. */
const calls: Readonly<Record<string, MakeCall>> = {
  register: (_, { path }) => ({ path, body: registration() }),
  login: async ({ service }, { path }) => {
    const body = registration();
    await service.send('POST /api/v1/auth/register', { body });
    return { path, body };
  },
  refreshTokens: async (world, { path }) => ({ path, body: { refresh_token: (await user(world)).refresh_token } }),
  logout: async (world, { path }) => ({ path, headers: bearer((await user(world)).access_token) }),
  listEvents: asAda,
  streamEvents: asAda,
  createStreamTicket: asAda,
  getMe: asAda,
  getMyPermissions: asAda,
  listRoles: asAda,
  getRole: ofRole,
  deleteRole: ofRole,
  createRole: (_, { path }) => ({ path, as: 'ada', body: { name: fresh() } }),
  replaceRole: async (world, operation) => ({ ...(await ofRole(world, operation)), body: { label: 'Other' } }),
  updateMe: (_, { path }) => ({ path, as: 'ada', body: { username: fresh() } }),
  changePassword: async (world, { path }) => ({
    path,
    headers: bearer((await user(world)).access_token),
    body: { current_password: 'correct horse', new_password: 'battery staple' },
  }),
  listOwnSessions: asAda,
  endOtherSessions: async (world, { path }) => ({ path, headers: bearer((await user(world)).access_token) }),
  endOwnSession: async (world, { path }) => {
    const { access_token } = await user(world);
    const headers = bearer(access_token);
    const { json } = await world.service.send('GET /api/v1/auth/me/sessions', { headers });
    return { path: path.replace('{session}', json.items[0].id), headers };
  },
  listUserSessions: ofUser,
  endUserSessions: ofUser,
  endUserSession: async (world, { path }) => {
    const { id } = await user(world);
    const { json } = await world.service.send(`GET /api/v1/admin/users/${id}/sessions`, { as: 'ada' });
    return { path: path.replace('{id}', id).replace('{session}', json.items[0].id), as: 'ada' };
  },
  listSettings: asAda,
  getSystem: asAda,
  listUsers: asAda,
  createUser: (_, { path }) => ({ path, as: 'ada', body: { ...registration(), role: 'editor' } }),
  getAccountName: async (world, { path }) => ({ path: path.replace('{id}', (await user(world)).id), as: 'ada' }),
  getUser: async (world, { path }) => ({ path: path.replace('{id}', (await user(world)).id), as: 'ada' }),
  updateUser: async (world, { path }) => ({
    path: path.replace('{id}', (await user(world)).id),
    as: 'ada',
    body: { username: fresh(), disabled: true },
  }),
  deleteUser: async (world, { path }) => ({ path: path.replace('{id}', (await user(world)).id), as: 'ada' }),
  getPublicProfile: async ({ service }, { path }) => {
    const { status } = await service.send('PUT /api/v1/auth/me', { as: 'ada', body: { profile_public: true } });
    if (status !== 200) throw new Error('The profile is not shared.');
    return { path: path.replace('{id}', service.idOf('ada')) };
  },
  getAuthOptions: (_, { path }) => ({ path }),
  listAuthProviders: asVisitor,
  exchangeProviderCode: async (world, { path }) => {
    const { id } = await user(world);
    const { body } = await comeBackFrom(world, 'sign_in', id);
    return { path, body };
  },
  listIdentities: asAda,
  startIdentityLink: (_, { path }) => ({
    path: path.replace('{name}', 'main'),
    as: 'ada',
    body: { challenge: challengeOf('v'.repeat(43)), return_to: 'https://site.example.com/account' },
  }),
  linkIdentity: async (world, { path }) => {
    const { body } = await comeBackFrom(world, 'link');
    return { path, as: 'ada', body };
  },
  unlinkIdentity: async (world, { path }) => ({
    path: path.replace('{id}', (await comeBackFrom(world, 'link', world.service.idOf('ada'))).id),
    as: 'ada',
  }),
  requestVerification: asAda,
  requestPasswordReset: (_, { path }) => ({ path, body: { email: registration().email } }),
  confirmVerification: withLink('verification'),
  confirmPasswordReset: withLink('password_reset', { new_password: 'battery staple' }),
  confirmEmailChange: withLink('email_change'),
  revertEmailChange: withLink('email_revert'),
  acceptInvitation: withLink('invitation', { password: 'battery staple' }),
  requestCode: (_, { path }) => ({ path, body: { email: registration().email } }),
  signInWithCode: async (world, { path }) => ({ path, body: await mailedCode(world) }),
  giveSecondFactor: async (world, { path }) => {
    const { recoveryCodes, credentials } = await withFactor(world);
    const { json } = await world.service.send('POST /api/v1/auth/login', { body: credentials });
    return { path, body: { challenge: json.challenge, method: 'recovery_code', code: recoveryCodes[0] } };
  },
  getSecondFactors: asAda,
  createRecoveryCodes: async (world, { path }) => ({ path, headers: (await withFactor(world)).headers }),
  resetSecondFactors: async (world, { path }) => ({
    path: path.replace('{id}', (await withFactor(world)).id),
    as: 'ada',
  }),
  beginTotp: async (world, { path }) => ({ path, headers: bearer((await user(world)).access_token) }),
  confirmTotp: async (world, { path }) => {
    const headers = bearer((await user(world)).access_token);
    const { secret } = await posted(world.service, 'POST /api/v1/auth/me/totp', { headers });
    return { path, headers, body: { code: await totpCode(secret) } };
  },
  deleteTotp: async (world, { path }) => ({ path, headers: (await withFactor(world)).headers }),
  getStepUpOptions: asAda,
  stepUp: (_, { path }) => ({ path, as: 'ada', body: { current_password: 'correct horse' } }),
  getPasskeyOptions: (_, { path }) => ({ path }),
  signInWithPasskey: async (world, { path }) => {
    const { passkey } = await withPasskey(world);
    const { challenge, options } = await posted(world.service, 'POST /api/v1/auth/passkeys/options', {});
    return { path, body: { challenge, response: passkey.used(options) } };
  },
  listPasskeys: async (world, { path }) => ({ path, headers: (await withPasskey(world)).headers }),
  beginPasskey: async (world, { path }) => ({ path, headers: bearer((await user(world)).access_token) }),
  createPasskey: async (world, { path }) => {
    const headers = bearer((await user(world)).access_token);
    const { challenge, options } = await posted(world.service, 'POST /api/v1/auth/me/passkeys/options', { headers });
    const response = new SoftwarePasskey('https://cms.example.com').created(options);
    return { path, headers, body: { challenge, response, name: 'Phone' } };
  },
  renamePasskey: async (world, { path }) => {
    const { id, headers } = await withPasskey(world);
    return { path: path.replace('{id}', id), headers, body: { name: 'Laptop' } };
  },
  deletePasskey: async (world, { path }) => {
    const { id, headers } = await withPasskey(world);
    return { path: path.replace('{id}', id), headers };
  },
  getRelatedOrigins: (_, { path }) => ({ path }),
  inviteUser: async (world, { path }) => ({ path: path.replace('{id}', await invited(world)), as: 'ada' }),
  listMails: asAda,
  sendTestMail: (_, { path }) => ({ path, as: 'ada', body: { to: 'eve@example.org' } }),
  listApiTokens: asAda,
  createApiToken: (_, { path }) => ({ path, as: 'ada', body: { name: 'A feed', role: 'member', expires_at: null } }),
  getApiToken: async (world, { path }) => ({ path: path.replace('{id}', (await token(world)).id), as: 'ada' }),
  deleteApiToken: async (world, { path }) => ({ path: path.replace('{id}', (await token(world)).id), as: 'ada' }),
  listWebhooks: asAda,
  createWebhook: (_, { path }) => ({ path, as: 'ada', body: { ...newWebhook, filter: null } }),
  getWebhook: ofWebhook,
  updateWebhook: async (world, operation) => ({
    ...(await ofWebhook(world, operation)),
    body: { description: 'Changed' },
  }),
  deleteWebhook: ofWebhook,
  rotateWebhookSecret: ofWebhook,
  testWebhook: ofWebhook,
  listWebhookDeliveries: ofWebhook,
  redeliverWebhookDelivery: async (world, { path }) => {
    const { id } = await webhook(world);
    const json = await posted(world.service, `POST /api/v1/admin/webhooks/${id}/test`, { as: 'ada' });
    return { path: path.replace('{id}', id).replace('{delivery}', json.id), as: 'ada' };
  },
  listSavedViews: asAda,
  createSavedView: (_, { path }) => ({ path, as: 'ada', body: newView() }),
  getSavedView: ofSavedView,
  updateSavedView: async (world, operation) => ({
    ...(await ofSavedView(world, operation)),
    body: { name: `View ${++views}` },
  }),
  deleteSavedView: ofSavedView,
  listPreferences: asAda,
  setPreference: async (world, operation) => ({
    ...(await ofPreference(world, operation)),
    body: { value: { dark: true } },
  }),
  deletePreference: ofPreference,
  listImports: asAda,
  createImport: (_, { path }) => ({
    path: `${path}?format=records&type=category&name=categories.ndjson`,
    as: 'ada',
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: '{}',
  }),
  getImport: ofImport,
  runImport: async (world, operation) => {
    const call = await ofImport(world, operation);
    await world.service.runJobs();
    return call;
  },
  setImportPlan: async (world, { path }) => {
    const about = 'format=csv&type=category&name=a.csv';
    const { id } = await posted(world.service, `POST /api/v1/admin/imports?${about}`, {
      ...{ as: 'ada', headers: { 'Content-Type': 'text/csv' }, body: 'name' },
    });
    await world.service.runJobs();
    const form = { encoding: 'utf-8', separator: ',', decimal: '.', dates: 'iso', key: null, existing: 'keep' };
    return {
      path: path.replace('{id}', id),
      as: 'ada',
      body: { ...form, columns: [{ column: 'name', field: 'name' }] },
    };
  },
  deleteImport: ofImport,
  listExports: asAda,
  createExport: (_, { path }) => ({ path, as: 'ada', body: { type: 'categories' } }),
  getExport: ofExport,
  getExportFile: async (world, operation) => {
    const call = await ofExport(world, operation);
    await world.service.runJobs();
    return call;
  },
  deleteExport: ofExport,
  ...releaseCalls,
  ...previewCalls,
  getCalendar: asAda,
  ...noteCalls,
  ...pictureCalls,
  listNotifications: asAda,
  getNotificationSettings: asAda,
  updateNotificationSettings: (_, { path }) => ({ path, as: 'ada', body: { mail: 'daily' } }),
  readNotifications: (_, { path }) => ({ path, as: 'ada', body: { ids: [] } }),
  setPresence: ofPresence,
  deletePresence: ofPresence,
  listJobs: asAda,
  adminListMediaTags: asAda,
  batchMediaRecords: async ({ service }, { path }) => ({
    path,
    as: 'ada',
    body: { action: 'update', ids: [(await seededFile(service)).id], set: { alt: 'The harbour' } },
  }),
  adminListMediaUses: async ({ service }, { path }) => ({
    path: path.replace('{id}', (await seededFile(service)).id),
    as: 'ada',
  }),
  adminFetchMedia: (_, { path }) => ({ path, as: 'ada', body: { url: pictureAddress() } }),
  signMedia: async ({ service }, { path }) => ({
    path: path.replace('{id}', (await seededFile(service)).id),
    as: 'ada',
    body: { seconds: 60 },
  }),
  getJob: ofJob,
  retryJob: ofJob,
  cancelJob: ofJob,
  batchPageRecords: several('page'),
  batchPostRecords: several('post'),
  setPageStatus: stated('page'),
  setPostStatus: stated('post'),
  reorderPageRecords: async ({ service }, { path }) => {
    const [first, second] = await Promise.all([seeded(service, 'page'), seeded(service, 'page')]);
    const items = [
      { id: first.id, sort_order: 2 },
      { id: second.id, sort_order: 1 },
    ];
    return { path, as: 'ada', body: { items } };
  },
  listRedirects: asVisitor,
  listLinksTo: async ({ service }, { path }) => ({
    path: path.replace('{plural}', 'posts').replace('{id}', (await seeded(service, 'post')).id),
    as: 'ada',
  }),
  listDeadLinks: asAda,
  getPageSitemap: asVisitor,
  getPostSitemap: asVisitor,
  listTags: asVisitor,
  getPostRssFeed: asVisitor,
  getPostJsonFeed: asVisitor,
  adminListCommentRecords: asAda,
  listCommentRecords: asAda,
  adminDeleteCommentRecord: ofComment,
  deleteCommentRecord: ofComment,
  setCommentStatus: moderated,
  moderateComment: moderated,
  batchCommentRecords: async (world, { path }) => ({
    path,
    as: 'ada',
    body: { action: 'approve', ids: [(await comment(world)).id] },
  }),
  replyToComment: async (world, { path }) => ({
    path: path.replace('{id}', (await comment(world)).id),
    as: 'ada',
    body: { content: fresh() },
  }),
  listPostComments: ofPost(() => ({})),
  createComment: ofPost(() => ({ body: { content: fresh(), nickname: 'Nia', email: 'nia@example.com' } })),
  createAuthedComment: ofPost(() => ({ as: 'ada', body: { content: fresh() } })),
  getHealth: asVisitor,
  getLiveness: asVisitor,
  getReadiness: asVisitor,
  getMetrics: asVisitor,
  getOpenApiDocument: asVisitor,
  listContentTypes: asAda,
  getContentType: ofType,
  listContentTypeRevisions: ofType,
  deleteContentType: ofType,
  createContentType: (_, { path }) => {
    const singular = fresh();
    return { path, as: 'ada', body: { singular, plural: `${singular}s`, fields: ticketFields } };
  },
  replaceContentType: async (world, { path }) => {
    const { singular, plural } = await madeType(world);
    return { path: path.replace('{singular}', singular), as: 'ada', body: { singular, plural, name: 'Renamed' } };
  },
  reorderBranchRecords: async ({ service }, { path }) => {
    const { id } = await seeded(service, 'branch');
    return { path, as: 'ada', body: { items: [{ id, position: 7 }] } };
  },
  reorderCategoryRecords: async ({ service }, { path }) => {
    const { id } = await seeded(service, 'category');
    return { path, as: 'ada', body: { items: [{ id, position: 7 }] } };
  },
  moveBranchRecord: async ({ service }, { path }) => {
    const [branch, parent] = [await seeded(service, 'branch'), await seeded(service, 'branch')];
    return { path: path.replace('{id}', branch.id), as: 'ada', body: { parent_id: parent.id, position: 2 } };
  },
  reorderStepRecords: async ({ service }, { path }) => {
    const { id } = await seeded(service, 'step');
    return { path, as: 'ada', body: { items: [{ id, position: 7 }] } };
  },
  ...ofRevisions('Article', 'article'),
  ...ofDrafts('Article', 'article', { status: 'published' }),
  ...ofRevisions('Page', 'page'),
  ...ofRevisions('Post', 'post'),
  ...ofRevisions('Scroll', 'scroll'),
  ...ofRevisions('Motto', 'motto'),
  ...ofRevisions('Play', 'play'),
  ...ofDrafts('Page', 'page'),
  ...ofDrafts('Post', 'post'),
  ...ofDrafts('Play', 'play', { status: 'published' }),
  ...ofRevisions('Marvel', 'marvel'),
  ...ofDrafts('Marvel', 'marvel', { status: 'published' }, () => ({ notes: fresh() })),
  reorderMarvelRecords: async ({ service }, { path }) => {
    const { id } = await seeded(service, 'marvel');
    return { path, as: 'ada', body: { items: [{ id, position: 7 }] } };
  },
  moveMarvelRecord: async ({ service }, { path }) => {
    const [marvel, parent] = [await seeded(service, 'marvel'), await seeded(service, 'marvel')];
    return { path: path.replace('{id}', marvel.id), as: 'ada', body: { parent_id: parent.id, position: 2 } };
  },
  restoreMarvelRecord: onDeleted,
  purgeMarvelRecord: onDeleted,
  restoreMottoRecordRevision: async ({ service }, { path }) => {
    const { id } = await seeded(service, 'motto');
    const one = path.replace(/\/revisions.*/, '').replace('{id}', id);
    await service.send(`PUT ${one}`, { as: 'ada', body: { title: fresh() } });
    const { json } = await service.send(`GET ${one}/revisions`, { as: 'ada' });
    return { path: `${one}/revisions/${json.items[0].revision}/restore`, as: 'ada' };
  },
  restoreScrollRecord: onDeleted,
  purgeScrollRecord: onDeleted,
  restoreRelicRecord: onDeleted,
  purgeRelicRecord: onDeleted,
};

const nameOf = ({ operationId }: DocumentedOperation): string => operationId.replace(/Patch$/, '');

/** The request that an operation answers with success. */
export const successCall: MakeCall = (world, operation) => (calls[nameOf(operation)] ?? generated)(world, operation);

type Refusal = (world: World, operation: DocumentedOperation, success: Call) => Promise<Call> | Call;

/** The same request by the bearer of this token; of none: by an anonymous caller. */
export function askedWith(token: string | null, { as: _, headers: __, ...call }: Call): Call {
  return { ...call, headers: token === null ? {} : bearer(token) };
}

const robot: Refusal = (world, _, success) => askedWith(world.robot, success);

/** Requests that provoke a problem which the same kind of request does not provoke elsewhere: operation, status. */
const special: Readonly<Record<string, Readonly<Record<number, Refusal>>>> = {
  register: { 403: (_, __, success) => success },
  login: { 403: async (world, _, call) => ({ ...call, body: (await withFactor(world)).credentials }) },
  signInWithCode: {
    403: async (world, { path }) => ({ path, body: await mailedCode(world, (await withFactor(world)).id) }),
  },
  giveSecondFactor: { 429: (world, _, call) => freshChallenge(world, call) },
  listNotifications: { 403: robot },
  getNotificationSettings: { 403: robot },
  deleteMyPicture: { 403: robot },
  getUserPicture: { 400: (_, __, call) => ({ ...call, path: `${call.path}&no_such_parameter=1` }) },
  updateNotificationSettings: { 403: robot },
  readNotifications: {
    403: robot,
    400: (_, { path }) => ({ path, as: 'ada', body: {} }),
    422: (_, { path }) => ({ path, as: 'ada', body: { ids: 'all' } }),
  },
  getSecondFactors: { 403: robot },
  createRecoveryCodes: {
    403: robot,
    409: async (world, { path }) => ({ path, headers: bearer((await user(world)).access_token) }),
  },
  resetSecondFactors: { 403: robot },
  beginTotp: { 403: robot, 409: async (world, { path }) => ({ path, headers: (await withFactor(world)).headers }) },
  confirmTotp: { 403: robot },
  deleteTotp: {
    403: robot,
    404: async (world, { path }) => ({ path, headers: bearer((await user(world)).access_token) }),
  },
  getStepUpOptions: { 403: robot },
  stepUp: { 403: robot, 401: (_, __, call) => ({ ...call, body: { method: 'totp', code: '000000' } }) },
  listPasskeys: { 403: robot },
  beginPasskey: { 403: robot },
  createPasskey: { 403: robot, 409: (world, _, call) => manyPasskeys(world, call) },
  renamePasskey: { 403: robot },
  deletePasskey: { 403: robot },
  getMe: { 403: robot },
  listOwnSessions: { 403: robot },
  endOtherSessions: { 403: robot },
  endOwnSession: { 403: robot },
  requestVerification: { 403: robot },
  exchangeProviderCode: {
    401: (_, __, call) => ({ ...call, body: { ...Object(call.body), code: 'rac_unknown' } }),
    403: exchangeWithPasskey,
  },
  listIdentities: { 403: robot },
  startIdentityLink: {
    403: robot,
    404: (_, { path }, call) => ({ ...call, path: path.replace('{name}', 'no-such-provider') }),
  },
  linkIdentity: { 403: robot, 409: identityInUse },
  unlinkIdentity: { 403: robot, 409: onlyIdentity },
  inviteUser: {
    409: async (world, { path }, call) => ({ ...call, path: path.replace('{id}', (await user(world)).id) }),
  },
  updateMe: { 403: robot, 429: wrongPassword('current_password', { email: 'else@example.com' }) },
  changePassword: { 403: robot, 429: wrongPassword('current_password') },
  logout: { 403: robot },
  updateUser: { 409: (world, _, call) => lastAdmin(world, { ...call, body: { role: 'member' } }) },
  deleteUser: { 409: (world, _, call) => lastAdmin(world, call) },
  createContentType: { 409: textsAsNumbers },
  replaceRole: { 409: ofRoleFile },
  deleteRole: { 409: ofRoleFile },
  ...releaseRefusals,
  ...noteRefusals,
  createPreview: { 404: (_, __, call) => ({ ...call, body: { ...Object(call.body), id: crypto.randomUUID() } }) },
  setPreference: { 404: noPreference, 409: manyPreferences },
  deletePreference: { 404: noPreference },
  retryJob: { 409: doneJob },
  testWebhook: { 409: disabledWebhook },
  redeliverWebhookDelivery: { 409: disabledWebhook },
  cancelJob: { 409: doneJob },
  createArticleRecord: { 403: (_, __, call) => ({ ...call, body: { title: 'Out', status: 'published' } }) },
  updateArticleRecord: {
    403: async ({ service }, { path }) => ({
      path: path.replace('{id}', (await seeded(service, 'article', { status: 'published' })).id),
      as: 'mia',
      body: {},
    }),
  },
  createTicketRecord: { 403: (_, { path }) => ({ path, as: 'ada', body: { title: 'x', weight: 99 } }) },
  updateTicketRecord: {
    403: async ({ service }, { path }) => ({
      path: path.replace('{id}', (await seeded(service, 'ticket', { weight: 99 })).id),
      as: 'ada',
      body: { lock_version: 1 },
    }),
  },
  deleteTicketRecord: {
    403: async ({ service }, { path }) => ({
      path: path.replace('{id}', (await seeded(service, 'ticket', { weight: 98 })).id),
      as: 'ada',
    }),
  },
  aggregateArchiveRecords: { 400: notUtf8 },
  listArchiveRecords: { 400: notUtf8 },
  getArchiveRecord: { 400: notUtf8 },
  createArchiveRecord: { 400: notUtf8 },
  updateArchiveRecord: { 400: notUtf8 },
  deleteArchiveRecord: { 400: notUtf8 },
  createPageRecord: { 403: (_, { path }) => ({ path, as: 'mia', body: { title: 'Out', status: 'Published' } }) },
  createPostRecord: { 403: (_, { path }) => ({ path, as: 'mia', body: { title: 'Out', status: 'Published' } }) },
  setImportPlan: { 409: twice },
  createComment: { 403: closedPost, 409: (world, operation, call) => twice(world, operation, { ...call, as: 'mia' }) },
  // Of what everyone sees. What only its author and the moderators see is 404 for others.
  deleteCommentRecord: {
    403: async ({ service }, _, { path }) => {
      const approval = { as: 'ada', body: { status: 'Approved' } };
      await service.send(`PUT ${path.replace('/api/v1', '/api/v1/admin')}/status`, approval);
      return { path, as: 'mia' };
    },
  },
  createAuthedComment: { 403: closedPost, 409: twice },
  getPreferenceRecord: { 404: ({ service }, { path }) => hiddenPreference(service, { path }) },
  updatePreferenceRecord: {
    403: (_, { path }) => ({ path, as: 'mia', body: {} }),
    404: ({ service }, { path }) => hiddenPreference(service, { path, body: {} }),
  },
  adminCreatePreferenceRecord: { 409: async (world, _, call) => (await seeded(world.service, 'preference')) && call },
  adminCreateMottoRecord: { 409: async (world, _, call) => (await seeded(world.service, 'motto')) && call },
  restoreArticleRecordRevision: { 422: takenSlug('article') },
  ...draftRefusals('Article', 'article', { status: 'published' }),
  restorePageRecordRevision: { 422: takenSlug('page') },
  restorePostRecordRevision: { 422: takenSlug('post') },
  restorePlayRecordRevision: { 422: takenSlug('play') },
  restoreMarvelRecordRevision: { 422: takenSlug('marvel') },
  ...draftRefusals('Marvel', 'marvel', { status: 'published' }),
  ...draftRefusals('Page', 'page'),
  ...draftRefusals('Post', 'post'),
  ...draftRefusals('Play', 'play', { status: 'published' }),
  restoreScrollRecordRevision: { 422: takenSlug('scroll') },
  // Its first version has not what is required yet.
  restoreMottoRecordRevision: {
    422: async ({ service }, { path }) => {
      const { id } = await seeded(service, 'motto');
      await service.send(`DELETE /api/v1/admin/cms/mottos/${id}`, { as: 'ada' });
      const again = await seeded(service, 'motto');
      return { path: path.replace('{id}', again.id).replace('{revision}', '1'), as: 'ada' };
    },
  },
  adminCreateSiteSettingsRecord: {
    409: async (world, _, call) => (await seeded(world.service, 'site-settings')) && call,
  },
};

/** The webhook of a request, disabled. */
async function disabledWebhook({ service }: World, _: DocumentedOperation, call: Call): Promise<Call> {
  const [one = ''] = /^.*\/webhooks\/[^/]+/.exec(call.path) ?? [];
  await service.send(`PUT ${one}`, { as: 'ada', body: { enabled: false } });
  return call;
}

const aPasskey = {
  ...{ publicKey: 'a2V5', counter: 0, transports: ['internal'], backedUp: false, aaguid: null, name: 'Phone' },
} as const;

/** A sign-in to an account with a second factor. */
async function exchangeWithPasskey(world: World, _: DocumentedOperation, { path }: Call): Promise<Call> {
  const { database, passkeys } = world.service.auth;
  const { id } = await user(world);
  await database.transaction((transaction) =>
    passkeys.add(transaction, { ...aPasskey, account: id, credentialId: fresh() }, Date.now()),
  );
  return { path, body: (await comeBackFrom(world, 'sign_in', id)).body };
}

/** The identity of somebody else. */
async function identityInUse(world: World, _: DocumentedOperation, call: Call): Promise<Call> {
  const { id } = await user(world);
  await comeBackFrom(world, 'sign_in', id);
  const { body } = call;
  const { database, identities, providerCodes } = world.service.auth;
  const { code, verifier } = Object(body);
  const taken = await database.transaction((transaction) =>
    providerCodes.take(transaction, { code, verifier, purpose: 'link' }, Date.now()),
  );
  if (taken === undefined) throw new Error('The code is not valid.');
  const token = await database.transaction(async (transaction) => {
    const { provider, issuer, subject, email } = taken;
    await identities.insert(transaction, { account: id, provider, issuer, subject, email }, Date.now());
    return providerCodes.issue(transaction, taken, Date.now());
  });
  return { ...call, body: { code: token, verifier } };
}

/** The identity of an account without a password. */
async function onlyIdentity(world: World, { path }: DocumentedOperation, call: Call): Promise<Call> {
  const { id, access_token: access } = await user(world);
  const identity = await comeBackFrom(world, 'link', id);
  await world.service.database.transaction(async (transaction) =>
    transaction.run(query('update recto_accounts set password_hash = ? where id = ?', '!none', id)),
  );
  return { ...askedWith(access, call), path: path.replace('{id}', identity.id) };
}

function noPreference(_: World, { path }: DocumentedOperation, call: Call): Call {
  return { ...call, path: path.replace('{name}', 'No-Name') };
}

/** By an account that has as many as there may be. */
async function manyPreferences({ service }: World, _: DocumentedOperation, call: Call): Promise<Call> {
  const name = fresh();
  const owner = await service.account(name, 'editor');
  await service.database.transaction(async (transaction) => {
    for (let number = 0; number < preferenceLimits.preferences; number += 1)
      await transaction.run(
        query('INSERT INTO recto_preferences VALUES (?, ?, ?, ?)', owner, `number-${number}`, 'true', 0),
      );
  });
  return { ...call, as: name };
}

/** A job that no longer waits. */
async function doneJob(world: World, { path }: DocumentedOperation, call: Call): Promise<Call> {
  const { service } = world;
  const id = await service.jobs.enqueue(jobType, {});
  await service.database.transaction(async (transaction) =>
    transaction.run(query("UPDATE recto_jobs SET state = 'done' WHERE id = ?", id)),
  );
  return { ...call, path: path.replace('{id}', id) };
}

/** A field of numbers where an earlier type of the name has left texts. */
async function textsAsNumbers(world: World, _: DocumentedOperation, call: Call): Promise<Call> {
  const { service } = world;
  const { singular, plural } = await madeType(world);
  await service.send(`POST /api/v1/admin/cms/${plural}`, { as: 'ada', body: { title: 'Words' } });
  await service.send(`DELETE /api/v1/admin/content-types/${singular}`, { as: 'ada' });
  return { ...call, body: { singular, plural, fields: [{ name: 'title', field_type: 'integer' }] } };
}

/** A post that takes no comments. */
async function closedPost({ service }: World, { path }: DocumentedOperation, call: Call): Promise<Call> {
  const { slug } = await seeded(service, 'post', { comments_open: false });
  return { ...call, path: path.replace('{slug}', slug ?? '') };
}

/** The same once more. */
async function twice({ service }: World, { method }: DocumentedOperation, call: Call): Promise<Call> {
  await service.send(`${method} ${call.path}`, call);
  return call;
}

/** A closed endpoint looks at nothing of a request, but the request has to be one. */
function notUtf8(_: World, __: DocumentedOperation, call: Call): Call {
  return { ...call, path: `${call.path}?%ff` };
}

function wrongPassword(name: string, more: Body = {}): Refusal {
  return (_, __, call) => ({ ...call, body: { ...Object(call.body), ...more, [name]: 'not the password' } });
}

/** Makes the one record such that anonymous callers do not see it. */
async function hiddenPreference(service: TestService, call: Call): Promise<Call> {
  const { id } = await seeded(service, 'preference');
  await service.send(`PUT /api/v1/admin/cms/preferences/${id}`, { as: 'ada', body: { open: false } });
  return call;
}

const lastAdmin = ({ service }: World, call: Call): Call => ({
  ...call,
  path: `/api/v1/admin/users/${service.idOf('ada')}`,
});

/** The same request again, whose answer was too large to be kept. */
async function answerNotKept({ service }: World, { method }: DocumentedOperation, call: Call): Promise<Call> {
  const again = withKey(call);
  await service.send(`${method} ${call.path}`, again);
  await service.database.transaction(async (transaction) => {
    await transaction.run({ sql: 'update recto_idempotency_keys set status = null', parameters: [] });
  });
  return again;
}

/** Another request with the key of this one. */
async function keyReused(world: World, operation: DocumentedOperation, call: Call): Promise<Call> {
  const first = withKey(call);
  await world.service.send(`${operation.method} ${call.path}`, first);
  return { ...(await successCall(world, operation)), headers: first.headers ?? {} };
}

/** The same with a new `Idempotency-Key`. */
export const withKey = (call: Call): Call => ({
  ...call,
  headers: { ...call.headers, 'Idempotency-Key': crypto.randomUUID() },
});

const namingNothing = (path: string): string =>
  path.replace('{id}', newId()).replace('{slug}', 'no-such-slug').replace('{singular}', 'no-such-type');

/** The same by a slug that the record had before. */
async function formerSlug({ service }: World, { path }: DocumentedOperation, call: Call): Promise<Call> {
  const parts = path.split('/');
  const plural = parts[parts[3] === 'cms' ? 4 : 3];
  const type = service.types.all.find((each) => each.plural === plural);
  const slugs = type?.fields.filter((field) => field.type.name === 'uid') ?? [];
  const field = slugs.find(({ name }) => name === 'slug') ?? slugs[0];
  const slug = call.path.split('?')[0]?.split('/')[parts.indexOf('{slug}')];
  if (type === undefined || field === undefined || slug === undefined) throw new Error(`${path} names no slug.`);
  const former = `former-${newId()}`;
  await service.database.transaction(async (transaction) => {
    await transaction.run({
      sql: `insert into recto_former_slugs (type, field, slug, tenant, record, moved_at)
        select ?, ?, ?, '', id, '2026-11-21T10:00:00.000Z' from ${type.table} where "${field.name}" = ?`,
      parameters: [type.singular, field.name, former, decodeURIComponent(slug)],
    });
  });
  return { ...call, path: call.path.replace(`/${slug}`, `/${former}`) };
}

/** How the same problem is provoked everywhere. */
const general: Readonly<Record<number, Refusal>> = {
  304: async ({ service }, { method }, call) => {
    const { headers } = await service.send(`${method} ${call.path}`, call);
    return { ...call, headers: { 'If-None-Match': headers.get('etag') ?? '' } };
  },
  308: formerSlug,
  400: (_, __, call) => ({ ...call, path: `${call.path}?no_such_parameter=1` }),
  401: (_, __, call) => askedWith('no-token', call),
  403: (_, { parameters }, call) =>
    parameters.some(({ name }) => name === 'Recto-Tenant')
      ? { ...call, as: 'tess', headers: { ...call.headers, 'Recto-Tenant': 'another' } }
      : { ...call, as: 'mia' },
  404: (_, { path }, call) => ({ ...call, path: namingNothing(path) }),
  409: (world, operation, call) =>
    operation.takesKey ? answerNotKept(world, operation, call) : { ...call, headers: { 'If-Match': '"stale"' } },
  413: (_, __, call) => ({ ...call, body: { title: 'a'.repeat(60_000) } }),
  415: (_, __, call) => ({ ...call, headers: { ...call.headers, 'Content-Type': 'text/plain' } }),
  422: (world, operation, call) =>
    operation.takesKey && operation.bodySchema === undefined
      ? keyReused(world, operation, call)
      : { ...call, body: { ...Object(call.body), no_such_field: 1 } },
  429: (_, __, call) => call,
  503: (_, __, call) => call,
};

/** The statuses that something is known to provoke, of an operation that documents these. */
export const provokedStatuses = (operation: DocumentedOperation, documented: readonly number[]): readonly number[] =>
  [...new Set([...documented, ...Object.keys({ ...general, ...special[nameOf(operation)] }).map(Number)])].filter(
    (status) =>
      (operation.method !== 'GET' || ![413, 415, 422].includes(status)) &&
      (status !== 308 || documented.includes(status)),
  );

/** The request that provokes a status other than success. */
export function refusedCall(status: number, world: World, operation: DocumentedOperation, success: Call) {
  const refusal = special[nameOf(operation)]?.[status] ?? general[status];
  if (refusal === undefined) throw new Error(`Nobody knows how to provoke ${status} of ${operation.operationId}.`);
  return refusal(world, operation, success);
}
