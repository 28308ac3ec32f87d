// databases: sqlite, postgres:rest
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { protocols } from '../../../packages/recto/src/definition/protocols/index.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Every pair of protocols on one type, and all of them together: a record is created, read, listed, changed by a member and
// by an admin, and deleted, and each protocol does its own in the presence of the other. What a protocol does by an option
// alone is paired like one.

type JsonObject = Readonly<Record<string, unknown>>;

/** What a protocol is held to. Record by record, as `get` returns it. */
interface Promised {
  /** Of a new record made by mia (of a single type: by nobody). */
  readonly made: (record: JsonObject, mia: string | null) => void;
  /** What an update by max sends, and what must have come of it. */
  readonly sends?: JsonObject;
  readonly changed?: (before: JsonObject, after: JsonObject, max: string) => void;
  /** What its own routes below the record's admin path return after both updates; ends with the record as it was. */
  readonly ownRoutes?: (adminPath: string, max: string, active: readonly string[]) => Promise<void>;
}

/** Protocols as a definition names them, by what they are called here. */
const withOptions: Readonly<Record<string, readonly unknown[]>> = {
  drafts: [{ name: 'versionable', drafts: true }, 'statusable'],
  schedule: [{ name: 'statusable', schedule: 'published' }],
  'drafts on schedule': [
    { name: 'versionable', drafts: true },
    { name: 'statusable', schedule: 'published' },
  ],
};

const promised: Readonly<Record<string, Promised>> = {
  timestampable: {
    made: (record) => expect(record.updated_at).toBe(record.created_at),
    changed(before, after) {
      expect(after.created_at).toBe(before.created_at);
      expect(String(after.updated_at) >= String(before.updated_at)).toBe(true);
    },
  },
  ownable: {
    made: (record, mia) => expect([record.created_by, record.updated_by]).toEqual([mia, mia]),
    changed: (before, after, max) => expect([after.created_by, after.updated_by]).toEqual([before.created_by, max]),
  },
  lockable: {
    made: (record) => expect(record.lock_version).toBe(1),
    changed: (before, after) => expect(after.lock_version).toBe(Number(before.lock_version) + 1),
  },
  metaable: {
    made: (record) => expect(record.__meta).toEqual({}),
    sends: { __meta: { a: 1 } },
    changed: (_, after) => expect(after.__meta).toEqual({ a: 1 }),
  },
  soft_deletable: {
    made: (record) => expect([record.deleted_at, record.deleted_by]).toEqual([null, null]),
  },
  statusable: {
    made: (record) => expect(record.status).toBe('draft'),
    sends: { status: 'published' },
    changed: (_, after) => expect(after.status).toBe('published'),
  },
  assignable: {
    // No public route returns what is for editors.
    made: (record) => expect(['assignee' in record, 'due_at' in record]).toEqual([false, false]),
    async ownRoutes(adminPath) {
      const given = { assignee: service.idOf('ada'), due_at: '2999-01-01T00:00:00.000Z' };
      expect(await ok(service.send(`PUT ${adminPath}`, { as: 'ada', body: given }))).toMatchObject(given);
      const none = { assignee: null, due_at: null };
      expect(await ok(service.send(`PUT ${adminPath}`, { as: 'ada', body: none }))).toMatchObject(none);
    },
  },
  expirable: {
    made: (record) => expect(record.expires_at).toBeNull(),
    sends: { expires_at: '2999-01-01T00:00:00.000Z' },
    changed: (_, after) => expect(after.expires_at).toBe('2999-01-01T00:00:00.000Z'),
  },
  versionable: {
    made: () => {},
    async ownRoutes(adminPath, max) {
      const { items } = await ok(service.send(`GET ${adminPath}/revisions`, { as: 'ada' }));
      // The admin's update changed nothing.
      expect(items.map(({ revision }: JsonObject) => revision)).toEqual([2, 1]);
      expect(items[1].action).toBe('create');
      expect([items[0].author, items[0].changed[0]]).toEqual([max, 'title']);
      const { record } = await ok(service.send(`GET ${adminPath}/revisions/1`, { as: 'ada' }));
      expect(record.title).not.toBe('changed');
      const restored = await ok(service.send(`POST ${adminPath}/revisions/1/restore`, { as: 'ada' }));
      expect(restored.title).toBe(record.title);
      await ok(service.send(`POST ${adminPath}/revisions/2/restore`, { as: 'ada' }));
    },
  },
  sortable: {
    made: (record) => expect(record.position).toBe(0),
    changed: (before, after) => expect(after.position).toBe(before.position),
  },
  tenantable: {
    made: (record) => expect(record.tenant_id).toBeNull(),
    changed: (_, after) => expect(after.tenant_id).toBeNull(),
    async ownRoutes(adminPath, _, active) {
      await ok(service.send(`GET ${adminPath}`, { as: 'tess' }), 404);
      const list = adminPath.replace(/\/[^/]*$/, '');
      const publicList = publicPath(list);
      const acme = { headers: { 'Recto-Tenant': 'acme' } };
      const made = await ok(service.send(`POST ${list}`, { as: 'tess', body: { title: 'changed' } }), 201);
      expect(made.tenant_id).toBe('acme');
      if (active.includes('sortable')) expect(made.position).toBe(0);
      if (publicList.includes('/single-')) {
        const path = publicList.replace(/s$/, '');
        expect((await ok(service.send(`GET ${path}`, acme))).id).toBe(made.id);
        expect((await ok(service.send(`GET ${path}`))).id).not.toBe(made.id);
        return;
      }
      expect(await ok(service.send(`GET ${publicList}?search=changed`, acme))).toMatchObject({
        items: [{ id: made.id }],
        total: 1,
      });
      expect((await ok(service.send(`GET ${publicList}`))).items).toMatchObject([{ tenant_id: null }]);
      await ok(service.send(`GET ${publicList}/${made.id}`), 404);
      await ok(service.send(`PUT ${publicList}/${made.id}`, { as: 'max', body: {} }), 404);
      await ok(service.send(`DELETE ${publicList}/${made.id}`, { as: 'max' }), 404);
      await ok(service.send(`DELETE ${publicList}/${made.id}`, acme), 204);
      if (active.includes('soft_deletable')) {
        await ok(
          service.send(`POST ${list}/${made.id}/restore`, { as: 'ada', headers: { 'Recto-Tenant': 'bolt' } }),
          404,
        );
        await ok(service.send(`DELETE ${list}/${made.id}/purge`, { as: 'tess' }), 204);
      }
    },
  },
  drafts: {
    made: (record) => expect([record.status, '__draft' in record]).toEqual(['draft', false]),
    sends: { status: 'published' },
    changed: (_, after) => expect(after.status).toBe('published'),
    async ownRoutes(adminPath) {
      const path = publicPath(adminPath);
      const before = await ok(service.send(`GET ${path}`));
      await ok(service.send(`PUT ${adminPath}?draft=true`, { as: 'ada', body: { ...before, title: 'next' } }));
      expect(await ok(service.send(`GET ${path}`))).toEqual(before);
      const drafted = await ok(service.send(`GET ${adminPath}?draft=true`, { as: 'ada' }));
      expect([drafted.title, drafted.__draft.changes]).toEqual(['next', { title: 'next' }]);
      expect((await ok(service.send(`POST ${adminPath}/publish`, { as: 'ada' }))).__draft).toBeNull();
      expect((await ok(service.send(`GET ${path}`))).title).toBe('next');
      const { items } = await ok(service.send(`GET ${adminPath}/revisions`, { as: 'ada' }));
      expect(items[0].action).toBe('publish');
      await ok(service.send(`POST ${adminPath}/revisions/${items[1].revision}/restore`, { as: 'ada' }));
    },
  },
  schedule: {
    made: (record) => expect([record.status, 'scheduled_at' in record]).toEqual(['draft', false]),
    sends: { status: 'published' },
    changed: (_, after) => expect(after.status).toBe('published'),
    async ownRoutes(adminPath) {
      const path = publicPath(adminPath);
      const change = (body: object) => ok(service.send(`PUT ${adminPath}`, { as: 'ada', body }));
      const later = '2999-01-01T00:00:00.000Z';
      const planned = await change({ status: 'archived', scheduled_at: later });
      expect([planned.status, planned.scheduled_at]).toEqual(['archived', later]);
      expect((await ok(service.send(`GET ${path}`))).status).toBe('archived');
      const moved = await change({ scheduled_at: '2020-01-01T00:00:00.000Z' });
      expect([moved.status, moved.scheduled_at]).toEqual(['published', null]);
      expect((await ok(service.send(`GET ${path}`))).status).toBe('published');
    },
  },
  'drafts on schedule': {
    made: () => {},
    sends: { status: 'published' },
    async ownRoutes(adminPath, max, active) {
      await promised.schedule?.ownRoutes?.(adminPath, max, active);
      await promised.drafts?.ownRoutes?.(adminPath, max, active);
    },
  },
  nestable: {
    made: (record) => expect([record.parent_id, record.depth]).toEqual([null, 0]),
    sends: { parent_id: null },
    changed: (_, after) => expect(after.depth).toBe(0),
  },
};

const names = Object.keys(protocols);
const pairs = names.flatMap((a, index) => names.slice(index + 1).map((b) => [a, b]));
const ofCollectionsAlone: readonly string[] = Object.values(protocols).flatMap(({ name, kind }) =>
  kind === 'collection' ? [name] : [],
);
const replaced = ['versionable', 'statusable'];
const optional = Object.keys(withOptions).flatMap((option) =>
  names.flatMap((name) => (replaced.includes(name) ? [] : [[name, option]])),
);
const isForSingles = (name: string): boolean => !ofCollectionsAlone.includes(name);
const everything = [...names.filter((name) => !replaced.includes(name)), 'drafts on schedule'];
const collections = [...pairs, ...optional, ['versionable', 'schedule'], names, everything];
const singles = [
  ...[...pairs, ...optional].filter((pair) => pair.every(isForSingles)),
  names.filter(isForSingles),
  everything.filter(isForSingles),
];

const named = new Map<string, string>();
/** A short name of its own for each kind and choice. */
function singularOf(kind: string, active: readonly string[]): string {
  const key = [kind, ...active].join();
  const known = named.get(key) ?? `${kind}-${named.size}`;
  named.set(key, known);
  return known;
}

/** Where a record, or the one of a single type, is public. */
const publicPath = (adminPath: string): string =>
  adminPath.replace('/admin/', '/').replace(/(\/single-\d+)s\/.*/, '$1');
const open = { access: 'public' };
const definition = (kind: 'collection' | 'single') => (active: readonly string[]) => ({
  singular: singularOf(kind, active),
  plural: `${singularOf(kind, active)}s`,
  kind,
  protocols: active.flatMap((name) => withOptions[name] ?? [name]),
  fields: [{ name: 'title', field_type: 'text' }],
  api: {
    ...(kind === 'single' ? {} : { list: { cache: true }, create: open, delete: open }),
    get: { cache: true },
    update: open,
  },
});

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([
    ...collections.map(definition('collection')),
    ...singles.map(definition('single')),
  ]);
  for (const name of ['mia', 'max']) await service.account(name);
  await service.account('ada', 'admin');
  await service.account('tess', 'editor', 'acme');
});
afterAll(() => service[Symbol.asyncDispose]());

const ok = async (reply: Promise<Reply>, status = 200): Promise<Reply['json']> => {
  const { status: actual, text, json } = await reply;
  expect({ status: actual, text }).toEqual({ status, text });
  return json;
};

/** A member changes the record, then an admin does; each time it can be put back whole. */
async function change(path: string, adminPath: string, active: readonly string[]): Promise<void> {
  const sends = Object.assign({ title: 'changed' }, ...active.map((name) => promised[name]?.sends ?? {}));
  let before = await ok(service.send(`GET ${path}`));
  for (const [as, at] of [
    ['max', path],
    ['ada', adminPath],
  ] as const) {
    const after = await ok(service.send(`PUT ${at}`, { as, body: { ...before, ...sends } }));
    expect(after.title).toBe('changed');
    for (const name of active) promised[name]?.changed?.(before, after, service.idOf(as));
    // Only admin routes show drafts and plans.
    const { __draft, scheduled_at, assignee, due_at, ...shown } = after;
    expect([__draft ?? null, scheduled_at ?? null, assignee ?? null, due_at ?? null]).toEqual([null, null, null, null]);
    expect(await ok(service.send(`GET ${path}`))).toEqual(shown);
    before = shown;
  }
}

test('every protocol is held to something', () => {
  for (const name of [...names, ...Object.keys(withOptions)]) expect(promised[name]).toBeDefined();
  expect(pairs.length).toBe((names.length * (names.length - 1)) / 2);
});

test.each(collections.map((active) => [active.join(' and '), active] as const))(
  'a collection with %s',
  async (_, active) => {
    const plural = `${singularOf('collection', active)}s`;
    const [base, admin] = [`/api/v1/cms/${plural}`, `/api/v1/admin/cms/${plural}`];
    const made = await ok(service.send(`POST ${base}`, { as: 'mia', body: { title: 'made' } }), 201);
    for (const name of active) promised[name]?.made(made, service.idOf('mia'));
    const path = `${base}/${made.id}`;
    expect(await ok(service.send(`GET ${path}`))).toEqual(made);
    expect(await ok(service.send(`GET ${base}?search=made`))).toMatchObject({ items: [made], total: 1 });

    await change(path, `${admin}/${made.id}`, active);
    for (const name of active) await promised[name]?.ownRoutes?.(`${admin}/${made.id}`, service.idOf('max'), active);
    const changed = await ok(service.send(`GET ${path}`));
    expect(changed.title).toBe('changed');
    expect(await ok(service.send(`GET ${base}`))).toMatchObject({ items: [changed], total: 1 });
    if (active.includes('lockable')) await ok(service.send(`PUT ${path}`, { body: { lock_version: 1 } }), 409);
    if (active.includes('expirable')) {
      const past = { expires_at: '2000-01-01T00:00:00.000Z' };
      await ok(service.send(`PUT ${admin}/${made.id}`, { as: 'ada', body: past }));
      await ok(service.send(`GET ${path}`), 404);
      expect((await ok(service.send(`GET ${base}`))).items).toEqual([]);
      await ok(service.send(`PUT ${admin}/${made.id}`, { as: 'ada', body: { expires_at: null } }));
    }

    await ok(service.send(`DELETE ${path}`, { as: 'max' }), 204);
    await ok(service.send(`GET ${path}`), 404);
    await ok(service.send(`GET ${admin}/${made.id}`, { as: 'ada' }), 404);
    expect(await ok(service.send(`GET ${base}`))).toMatchObject({ items: [], total: 0 });
    if (!active.includes('soft_deletable')) return;
    const [marked] = (await ok(service.send(`GET ${admin}?deleted=only`, { as: 'ada' }))).items;
    expect([marked.id, marked.deleted_by]).toEqual([made.id, service.idOf('max')]);
    const restored = await ok(service.send(`POST ${admin}/${made.id}/restore`, { as: 'ada' }));
    // A restore is an update that changes nothing of what callers write.
    for (const name of active.filter((each) => promised[each]?.sends === undefined)) {
      promised[name]?.changed?.(marked, restored, service.idOf('ada'));
    }
    expect(restored).toMatchObject(await ok(service.send(`GET ${path}`)));
    await ok(service.send(`DELETE ${path}`), 204);
    await ok(service.send(`DELETE ${admin}/${made.id}/purge`, { as: 'ada' }), 204);
    expect((await ok(service.send(`GET ${admin}?deleted=with`, { as: 'ada' }))).total).toBe(0);
  },
);

test.each(singles.map((active) => [active.join(' and '), active] as const))(
  'a single type with %s',
  async (_, active) => {
    const singular = singularOf('single', active);
    const admin = `/api/v1/admin/cms/${singular}s`;
    const made = await ok(service.send(`GET /api/v1/cms/${singular}`));
    for (const name of active) promised[name]?.made(made, null);
    await change(`/api/v1/cms/${singular}`, `${admin}/${made.id}`, active);
    for (const name of active) await promised[name]?.ownRoutes?.(`${admin}/${made.id}`, service.idOf('max'), active);
    await ok(service.send(`DELETE ${admin}/${made.id}`, { as: 'ada' }), 204);
    const again = await ok(service.send(`GET /api/v1/cms/${singular}`));
    expect(again.id).not.toBe(made.id);
    for (const name of active) promised[name]?.made(again, null);
  },
);
