// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Reply, TestService } from '../../support/service.ts';
import { ok, openPreviewed, preview, read, share } from './previews.fixture.ts';

// A link shows one record and nothing else: two services that differ in everything else that is not public answer alike.

const word = { left: 'amber', right: 'birch' } as const;
type Side = keyof typeof word;

interface Shared {
  readonly service: TestService;
  readonly token: string;
}

const sides: Partial<Record<Side, Shared>> = {};

/** The service itself. */
const caller = { kind: 'anonymous', isSystem: true } as const;

/** Ids are made by the service; these are the same on both sides. */
const ids = {
  shared: '01a1fc5b-0000-7000-8000-000000000001',
  other: '01a1fc5b-0000-7000-8000-000000000002',
  archived: '01a1fc5b-0000-7000-8000-000000000003',
  live: '01a1fc5b-0000-7000-8000-000000000004',
  writer: '01a1fc5b-0000-7000-8000-000000000005',
};

async function open(side: Side): Promise<Shared> {
  const service = await openPreviewed();
  const lines = [
    { type: 'writer', id: ids.writer, name: word[side], status: 'new' },
    {
      type: 'story',
      id: ids.shared,
      title: 'Shared',
      slug: 'shared',
      code: 'mine',
      price: 3,
      status: 'new',
      writer: ids.writer,
      secret: word[side],
      unlisted: word[side],
    },
    {
      type: 'story',
      id: ids.other,
      title: `Other ${word[side]}`,
      slug: `other-${word[side]}`,
      code: word[side],
      price: side === 'left' ? 1 : 99,
      status: 'new',
    },
    { type: 'story', id: ids.archived, title: `Old ${word[side]}`, slug: `old-${word[side]}`, price: 5, status: 'old' },
    { type: 'story', id: ids.live, title: 'Live', slug: 'live', price: 4, status: 'live' },
  ];
  for (const { type, ...record } of lines) {
    const asked = { type: service.types.get(type), admin: true, caller, search: '', id: record.id } as const;
    const write = await service.records.prepareCreate({ ...asked, payload: withoutId(record) });
    await service.records.runInTransaction(write);
  }
  // The live one has a draft that differs.
  const body = { title: `Drafted ${word[side]}`, price: side === 'left' ? 7 : 8 };
  await ok(service.send(`PUT /api/v1/admin/cms/stories/${ids.live}?draft=true`, { as: 'eve', body }));
  const { token } = await share(service, { type: 'story', id: ids.shared });
  return { service, token };
}

const withoutId = ({ id: _, ...record }: Readonly<Record<string, unknown>>) => record;

beforeAll(async () => {
  for (const side of ['left', 'right'] as const) sides[side] = await open(side);
});
afterAll(async () => {
  for (const side of Object.values(sides)) await side.service[Symbol.asyncDispose]();
});

/** The same request on both sides, with what they answer but for what is made anew each time. */
async function twice(path: string, headers: Readonly<Record<string, string>> = {}): Promise<readonly [Reply, Reply]> {
  const { left, right } = sides;
  if (left === undefined || right === undefined) throw new Error('Both sides are open.');
  return [await read(left.service, left.token, path, headers), await read(right.service, right.token, path, headers)];
}

const comparable = ({ status, headers, text }: Reply) => ({
  status,
  etag: headers.get('etag'),
  location: headers.get('location'),
  // Times of the two services differ, and ids of requests.
  text: text.replaceAll(/"(?:created_at|updated_at|request_id)":"[^"]*"/g, ''),
});

const probes = [
  'cms/stories',
  'cms/stories?sort=price:asc',
  'cms/stories?sort=title:desc',
  'cms/stories?page_size=1&page=2',
  'cms/stories?price=1',
  'cms/stories?price=99',
  'cms/stories?code=amber',
  'cms/stories?code=birch',
  'cms/stories?filter=price%20%3E%2050',
  'cms/stories?filter=title%20~%20%22Other%25%22',
  'cms/stories?filter=writer.name%20%3D%20%22amber%22',
  'cms/stories?filter=writer.name%20!%3D%20%22amber%22',
  'cms/stories?filter=writer%3Aisset',
  'cms/stories?search=amber',
  'cms/stories?search=birch',
  'cms/stories?search=drafted',
  'cms/stories?search=shared',
  'cms/stories?include=writer,topics',
  'cms/stories?fields=title,price',
  'cms/stories?skip_total=true',
  'cms/stories?secret=amber',
  'cms/stories?unlisted=amber',
  'cms/stories?filter=secret%20%3D%20%22amber%22',
  'cms/stories?sort=secret:asc',
  `cms/stories/${ids.shared}`,
  `cms/stories/${ids.shared}?include=writer`,
  `cms/stories/${ids.other}`,
  `cms/stories/${ids.archived}`,
  `cms/stories/${ids.live}`,
  'cms/stories/slug/other-amber',
  'cms/stories/slug/old-birch',
  'cms/stories/slug/live',
  'cms/stories/slug/shared',
  'cms/writers',
  `cms/writers/${ids.writer}`,
  'cms/writers?search=amber',
  'cms/topics',
  'cms/imprint',
  'cms/notices',
  'cms/locals',
  'posts',
  'pages',
  'posts/anything',
  'media',
  `media/${ids.other}`,
  'cms/stories/aggregate?count=true',
  'cms/stories/aggregate?max=price',
  'tags',
  'posts/anything/comments',
  'events',
];

describe('a link', () => {
  for (const path of probes)
    test(`answers ${path} by its record alone`, async () => {
      const [left, right] = await twice(path);
      expect(comparable(left)).toEqual(comparable(right));
      for (const secret of Object.values(word)) {
        // What the request names, an error may repeat.
        if (!path.includes(secret)) expect(left.text).not.toContain(secret);
      }
      expect(left.status).toBeLessThan(500);
      expect(left.headers.get('cache-control')).toBe('no-store');
    });

  test('shows its record in lists that would have others too', async () => {
    const [{ json }] = await twice('cms/stories?page_size=100');
    expect(json).toMatchObject({ total: 1, items: [{ id: ids.shared, title: 'Shared' }] });
    const [asked] = await twice('cms/stories?filter=price%20%3E%203');
    expect(asked.json).toMatchObject({ total: 0, items: [] });
  });

  test('answers known entity tags and cursors of other lists alike', async () => {
    const { left, right } = sides;
    if (left === undefined || right === undefined) throw new Error('Both sides are open.');
    const tag = (await read(left.service, left.token, `cms/stories/${ids.shared}`)).headers.get('etag') ?? '';
    const [known, same] = await twice(`cms/stories/${ids.shared}`, { 'If-None-Match': tag });
    expect([known.status, same.status]).toEqual([304, 304]);
    expect(known.headers.get('cache-control')).toBe('no-store');
    const page = await ok(left.service.send('GET /api/v1/cms/stories?page_size=1'));
    expect(page.items).toHaveLength(1);
    // A preview of the whole site has more than one page; its cursor shows a link nothing.
    const site = await preview(left.service, { type: 'story', id: ids.shared, scope: 'site' });
    const { next_cursor } = await ok(read(left.service, site.token, 'cms/stories?page_size=1'));
    expect(next_cursor).toBeString();
    const asked = `cms/stories?page_size=1&cursor=${encodeURIComponent(next_cursor)}`;
    const { status, json } = await read(left.service, left.token, asked);
    if (status === 200) for (const { id } of json.items) expect(id).toBe(ids.shared);
    else expect(status).toBe(400);
  });
});
