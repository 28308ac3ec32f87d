import { type Reply, TestService } from '../../support/service.ts';

const published = { access: 'public', filter: 'status = "live"', cache: true };

/** What the tests of previews read: stories with drafts, writers who are seen where they have published something, and others. */
export const definitions = [
  {
    singular: 'story',
    plural: 'stories',
    protocols: [
      { name: 'versionable', drafts: true },
      { name: 'statusable', values: ['new', 'live', 'old'], published: 'live' },
      'timestampable',
      'soft_deletable',
    ],
    fields: [
      { name: 'title', field_type: 'text', required: true },
      { name: 'slug', field_type: 'uid', target_field: 'title' },
      { name: 'text', field_type: 'richtext' },
      { name: 'code', field_type: 'text', unique: true },
      { name: 'price', field_type: 'integer' },
      { name: 'secret', field_type: 'text', private: true },
      { name: 'unlisted', field_type: 'text' },
      relation('writer', 'many_to_one', 'writers'),
      relation('topics', 'many_to_many', 'topics'),
    ],
    admin: { preview_url: 'https://site.example/stories/{slug}?in={language}#{token}' },
    api: {
      list: { ...published, fields: ['title', 'slug', 'price', 'code', 'writer', 'topics'] },
      get: { ...published, fields: ['title', 'slug', 'text', 'price', 'code', 'writer', 'topics'] },
    },
  },
  {
    singular: 'writer',
    plural: 'writers',
    protocols: [{ name: 'statusable', values: ['new', 'live'], published: 'live' }],
    fields: [{ name: 'name', field_type: 'text' }],
    api: { list: published, get: published },
  },
  {
    singular: 'topic',
    plural: 'topics',
    fields: [{ name: 'name', field_type: 'text' }],
    api: { list: { access: 'public' }, get: { access: 'public' } },
  },
  {
    singular: 'imprint',
    kind: 'single',
    protocols: [{ name: 'statusable', values: ['new', 'live'], published: 'live' }],
    fields: [{ name: 'line', field_type: 'text' }],
    api: { get: published },
  },
  {
    singular: 'local',
    plural: 'locals',
    protocols: ['tenantable', { name: 'statusable', values: ['new', 'live'], published: 'live' }],
    fields: [{ name: 'name', field_type: 'text' }],
    api: { list: published, get: published },
  },
  {
    singular: 'notice',
    plural: 'notices',
    protocols: [{ name: 'statusable', values: ['new', 'live'], published: 'live' }],
    fields: [{ name: 'text', field_type: 'text', localized: true }],
    api: { list: published, get: published },
  },
];

function relation(name: string, relation_type: string, target: string) {
  return { name, field_type: 'relation', relation: { relation_type, target } };
}

export const roles = [
  { name: 'writer', base: 'editor', types: { story: { update: 'price < 100' } } },
  { name: 'keeper', base: 'editor', may: { share: false } },
  { name: 'half', base: 'editor', types: { story: { read: { except: ['price'] }, write: { except: ['price'] } } } },
  { name: 'reader', types: { story: { list: true, get: true } } },
  { name: 'unreleased', base: 'editor', may: { releases: false } },
];

export async function openPreviewed(): Promise<TestService> {
  const service = await TestService.open(definitions, { roles, builtIn: true, languages: 'en,de' });
  for (const [name, role, tenant] of [
    ['ada', 'admin', null],
    ['eve', 'editor', null],
    ['ian', 'editor', null],
    ['will', 'writer', null],
    ['kim', 'keeper', null],
    ['hal', 'half', null],
    ['rob', 'reader', null],
    ['uma', 'unreleased', null],
    ['mia', 'member', null],
    ['nora', 'editor', 'north'],
    ['sam', 'editor', 'south'],
  ] as const)
    await service.account(name, role, tenant);
  return service;
}

export const ok = async (reply: Promise<Reply>, status = 200): Promise<Reply['json']> => {
  const { status: actual, text, json } = await reply;
  if (actual !== status) throw new Error(`${actual} in place of ${status}: ${text}`);
  return json;
};

export interface MadePreview {
  readonly url: string;
  readonly token: string;
  readonly expires_at: string;
}

/** Makes a preview as somebody. */
export const preview = (service: TestService, body: object, as = 'eve', status = 201): Promise<MadePreview> =>
  ok(service.send('POST /api/v1/admin/preview', { as, body }), status);

export const share = (service: TestService, body: object, as = 'eve', status = 201): Promise<MadePreview> =>
  preview(service, { share: true, label: 'For Bo', seconds: 3600, ...body }, as, status);

/** Reads with a token. */
export const read = (service: TestService, token: string, path: string, more: Readonly<Record<string, string>> = {}) =>
  service.send(`GET /api/v1/${path}`, { headers: { Authorization: `Bearer ${token}`, ...more } });
