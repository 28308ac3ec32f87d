import { describe, expect, test } from 'bun:test';
import type { PocketbaseField } from './pocketbase-collections.ts';
import type { RuleCollection } from './rule-places.ts';
import { translateRule } from './translate-rule.ts';

const field = (name: string, type: string, raw: PocketbaseField['raw'] = {}): PocketbaseField => ({
  ...{ name, type, required: false, hidden: false, system: false, raw },
});

const authors: RuleCollection = {
  fields: new Map([
    ['name', { field: field('name', 'text'), to: 'name' }],
    ['active', { field: field('active', 'bool'), to: 'active' }],
    ['rank', { field: field('rank', 'number'), to: 'rank' }],
    ['tags', { field: field('tags', 'select', { maxSelect: 5 }), to: 'tags' }],
    ['data', { field: field('data', 'json'), to: 'data' }],
  ]),
  id: 'id',
  target: () => undefined,
};

const posts: RuleCollection = {
  fields: new Map(
    [
      field('title', 'text'),
      field('note', 'text'),
      field('body', 'editor'),
      field('state', 'select', { maxSelect: 1 }),
      field('tags', 'select', { maxSelect: 5 }),
      field('views', 'number'),
      field('public', 'bool'),
      field('starts', 'date'),
      field('owner', 'relation', { maxSelect: 1, collectionId: 'users' }),
      field('members', 'relation', { maxSelect: 9, collectionId: 'users' }),
      field('author', 'relation', { maxSelect: 1, collectionId: 'authors' }),
      field('readers', 'relation', { maxSelect: 9, collectionId: 'authors' }),
      field('data', 'json'),
      field('file', 'file', { maxSelect: 1 }),
      field('created', 'autodate'),
      field('gone', 'text'),
    ].map((each) => [
      each.name,
      { field: each, to: each.name === 'gone' ? null : each.name === 'created' ? 'created_at' : each.name },
    ]),
  ),
  id: 'id',
  target: ({ raw }) => (raw.collectionId === 'authors' ? authors : undefined),
};

const translated = (rule: string | null, besides: readonly string[] = []) =>
  translateRule(rule, { collection: posts, accounts: 'users' }, besides);

describe('what is taken over', () => {
  test.each<[rule: string | null, access: string, filter?: string]>([
    [null, 'admin'],
    ['', 'public'],
    ['@request.auth.id != ""', 'member'],
    ["@request.auth.id != '' // signed in", 'member'],
    ['@request.auth.collectionName = "users"', 'member'],
    ['@request.auth.id != "" && public = true', 'member', 'public = true'],
    ['public = true', 'public', 'public = true'],
    // What was never set is false, 0 and "" there, and null here.
    ['public = false', 'public', 'public != true'],
    ['public != false', 'public', 'public = true'],
    ['views = 0', 'public', '(views = 0 || views = null)'],
    ['views != 0', 'public', '(views != 0 && views != null)'],
    ['views < 10', 'public', '(views < 10 || views = null)'],
    ['views > 10', 'public', 'views > 10'],
    ['10 < views', 'public', 'views > 10'],
    ['title = ""', 'public', 'title:length = 0'],
    ['title != ""', 'public', 'title:length > 0'],
    ['state = ""', 'public', 'state = null'],
    ['file != ""', 'public', 'file != null'],
    // A pattern is looked for anywhere.
    ['title ~ "concert"', 'public', 'title ~ "%concert%"'],
    ['title ~ "100_"', 'public', String.raw`title ~ "%100\\_%"`],
    ['title ~ "concert%"', 'public', 'title ~ "concert%"'],
    ['tags ?~ "a"', 'public', 'tags ?~ "%a%"'],
    ['tags:length > 1', 'public', 'tags:length > 1'],
    ['tags:length = 0', 'public', 'tags:length = 0'],
    ['members:length >= 2', 'public', 'members:length >= 2'],
    ['readers.name ?= "Ines"', 'public', 'readers.name ?= "Ines"'],
    ['readers.name ?~ "In%s"', 'public', 'readers.name ?~ "In%s"'],
    ['body != ""', 'public', 'body:length > 0'],
    ['owner != ""', 'public', 'owner != null'],
    ['title = note', 'public', '(title = note && title != null)'],
    ['author.rank = views', 'public', '(author.rank = views && author.rank != null)'],
    [
      '@request.auth.email ~ "@site.example"',
      'public',
      '(@request.auth.email ~ "%@site.example%" && @request.auth.verified = true)',
    ],
    ['tags ~ "a"', 'public', 'tags ?~ "%a%"'],
    // Nobody is nobody's owner.
    ['owner = @request.auth.id', 'public', '(owner = @request.auth.id && @request.auth.id != null)'],
    ['@request.auth.id = owner.id', 'public', '(owner = @request.auth.id && @request.auth.id != null)'],
    ['members ~ @request.auth.id', 'public', 'members ?= @request.auth.id'],
    ['members.id ?= @request.auth.id', 'public', 'members ?= @request.auth.id'],
    ['author.name = "Ines"', 'public', 'author.name = "Ines"'],
    // Where there is no author, the comparison must not hold here.
    ['author.name != "Ines"', 'public', '(author.name != "Ines" && author.name != null)'],
    ['author.active = false', 'public', 'author.active = false'],
    ['author.rank < 3', 'public', 'author.rank < 3'],
    ['author.rank != 3', 'public', '(author.rank != 3 && author.rank != null)'],
    ['data.city = "Porto"', 'public', 'data.city = "Porto"'],
    ['data.city != "Porto"', 'public', '(data.city != "Porto" && data.city != null)'],
    ['starts > @now', 'public', 'starts > @now'],
    ['starts < @now', 'public', '(starts < @now || starts = null)'],
    ['starts >= @yesterday', 'public', 'starts >= @now - 1d'],
    ['created > "2026-01-01 00:00:00"', 'public', 'created_at > "2026-01-01T00:00:00.000Z"'],
    ['starts <= "2026-01-01"', 'public', '(starts < "2026-01-01T00:00:00.000Z" || starts = null)'],
    ['@request.body.views:isset = false', 'public', '@request.body.views:isset = false'],
    ['@request.body.state:changed != true', 'public', '@request.body.state:changed = false'],
    [
      '@request.body.owner = @request.auth.id',
      'public',
      '(@request.body.owner = @request.auth.id && @request.auth.id != null)',
    ],
    ['@request.body.title = title', 'public', '(@request.body.title:isset = true && @request.body.title = title)'],
    // What was lost, and nothing sent, must not be equal here.
    [
      'owner = @request.body.owner',
      'public',
      '(@request.body.owner:isset = true && @request.body.owner = owner && owner != null)',
    ],
    [
      '@request.body.title = author.name',
      'public',
      '(@request.body.title:isset = true && @request.body.title = author.name && author.name != null)',
    ],
    ['@request.query.key = "sesame"', 'public', '@request.query.key = "sesame"'],
    ['@request.auth.verified = true && public = true', 'public', '@request.auth.verified = true && public = true'],
    [
      'public = true || owner = @request.auth.id',
      'public',
      '(public = true || (owner = @request.auth.id && @request.auth.id != null))',
    ],
    ['@request.auth.id != "" && (public = true || views > 3)', 'member', '(public = true || views > 3)'],
  ])('%p', (...[rule, access, filter]) => {
    // A test that compares too little would not see a rule that was lost.
    expect<unknown>(translated(rule)).toEqual(filter === undefined ? { access } : { access, filter });
  });

  test('conditions that hold as well stand beside the whole rule', () => {
    const besides = ['@request.body.secret:isset = false'];
    expect(translated('public = true || views > 3', besides)).toMatchObject({
      filter: '(public = true || views > 3) && @request.body.secret:isset = false',
    });
    expect(translated('', besides)).toMatchObject({ access: 'public', filter: besides[0] });
    expect(translated('@request.auth.id != ""', besides)).toMatchObject({ access: 'member', filter: besides[0] });
    expect(translated(null, besides)).toEqual({ access: 'admin' });
  });
});

test.each([
  // Of other collections, headers and functions.
  '@collection.members.user ?= @request.auth.id',
  '@request.method = "GET"',
  '@request.headers.x_token = "sesame"',
  '@request.context = "default"',
  'geoDistance(a, b, c, d) < 3',
  '@request.auth.collectionName != "users"',
  '@request.auth.collectionName = "clients"',
  '@request.auth.role = "editor"',
  '@request.auth.name != ""',
  '@request.auth.verified = false',
  '@request.auth.id = "4q1xlclmfloku33"',
  'owner = "4q1xlclmfloku33"',
  'id != ""',
  // Accounts choose their names here.
  '@request.auth.username = "ines"',
  '@request.auth.username ~ "staff_"',
  // The id of a collection is another text than its name.
  '@request.auth.collectionId = "users"',
  // A relation or file that is not brought in is missing here.
  'owner = ""',
  'owner = null || public = true',
  'file = ""',
  'author.name = ""',
  'author.name = null',
  'members:length = 0',
  'members:length < 2',
  'members:length != 1',
  // HTML is sanitised.
  'body = ""',
  'body !~ "script"',
  'body != "x"',
  // A backslash belongs to the text there, and escapes here.
  String.raw`title != "a\\b"`,
  String.raw`title !~ "a\_b"`,
  String.raw`title = "a\"b"`,
  // A modifier changes one side.
  'title:lower = @request.body.title',
  'title = @request.body.title:lower',
  'title:lower = note',
  'title = note:lower',
  'owner:lower = @request.auth.id',
  // What is missing on both sides.
  'data.a = data.b',
  // The JSON of a list is one text.
  'tags ?= "a"',
  'members ?= @request.auth.id',
  'tags ?~ "a%b"',
  'tags ~ "R&D"',
  '@request.body.tags !~ "a"',
  '@request.body.tags != "a"',
  // All of several.
  'readers.name ~ "Ines"',
  'readers.name !~ "Ines"',
  'readers.tags:length > 0',
  'members.id ~ @request.auth.id',
  'readers.data.city ~ "Porto"',
  'tags = "a"',
  'members != @request.auth.id',
  'readers.name = "Ines"',
  'tags:each ~ "a"',
  'tags ~ "a%b"',
  'tags ?!= "a"',
  // Empty there and null here would differ.
  'title != author.name',
  'title > "m"',
  'title ~ ""',
  'title !~ "%"',
  'title ~ author.name',
  'starts = "2026-01-01"',
  'starts > "soon"',
  'starts >= @monthStart',
  'data.count < 5',
  'data.flag = false',
  '@request.body.views = 0',
  '@request.body.public = false',
  '@request.body.gone = "x"',
  'gone = "x"',
  'unknown = 1',
  'owner.verified = true',
  // What is no rule.
  ' ',
  '// nothing',
  'title = ',
  'title',
  'title in ["a"]',
  '1 = 1',
  '(title = "a"',
  `title = "\u0000"`,
])('refused: %p', (rule) => {
  const found = translated(rule);
  expect('refused' in found && found.refused.length > 10).toBe(true);
});

test('a rule that is too long is refused', () => {
  expect(translated(`title = "${'a'.repeat(20_000)}"`)).toMatchObject({ refused: expect.stringContaining('10000') });
});
