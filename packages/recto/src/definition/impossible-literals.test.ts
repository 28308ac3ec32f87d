import { describe, expect, test } from 'bun:test';
import { builtInTypes } from '../features/index.ts';
import { checkDefinitions } from './check-definitions.ts';
import { author, id, impossible, withRule } from './impossible-literals.fixture.ts';

/** The same in rules of create and update. */
const impossibleInBodies: readonly (readonly [rule: string, literal: string, message: string])[] = [
  ['@request.body.status != "publised"', '"publised"', '"@request.body.status" is never "publised". Did you mean'],
  ['@request.body.author != ""', '""', 'write @request.body.author != null.'],
  ['@request.body.rating != "5"', '"5"', 'The other side is an integer'],
  ['@request.body.rating != 9', '9', 'It must be 5 or less.'],
  ['@request.body.statsu = null', '@request.body.statsu', 'Did you mean "@request.body.status"?'],
  [
    '@request.body.zzzzzzzz != "x"',
    '@request.body.zzzzzzzz',
    'There is no field "zzzzzzzz" in "article". Its fields are',
  ],
  ['@request.body.rating != title', '@request.body.rating != title', 'does not compare an integer with text'],
  ['@request.body.rating != @request.body.free', '@request.body.rating != @request.body.free', 'does not compare'],
  ['@request.body.status != created_by', '@request.body.status != created_by', 'never have the same value'],
  ['@request.body.tags != title', '@request.body.tags', 'is a list: compare it with null.'],
  ['@request.body.title', '@request.body.title', 'This is text and no condition by itself'],
];

const possible: readonly string[] = [
  'status != "published"',
  'status ~ "%ed"',
  'status ~ "PUB%"',
  '"draft" = status',
  'status:isset && status != null',
  'kind ~ "a%b" || kind = "Essay"',
  'author.state = "in_rest"',
  `author = "${id}" && author.id != "${id}"`,
  'id ~ "01A1fc%"',
  'id ~ "%-4___-%"',
  `@request.auth.id = "${id}"`,
  '@request.auth.id ~ "%"',
  '@request.auth.role != "member"',
  '@request.auth.tenant_id = "acme" || tenant_id ~ "ac%"',
  // A text can be empty, and bounds are often written from beyond them.
  'title != "" && title > ""',
  'rating > 0 && rating < 6 && rating != 5',
  'price >= 0.00 && big > 0',
  'code > "A" && code ~ "a%"',
  'tags:length >= 0',
  '__meta.status != ""',
  '@request.query.status != "anything"',
  'post.status = "PUBLISHED"',
];

const possibleInBodies: readonly string[] = [
  '@request.body.status = "draft" && @request.body.rating = 5',
  '@request.body.price = 1.50',
  '@request.body.tags = null || @request.body.status != status',
  '@request.body.rating = rating && @request.body.rating != @request.body.big',
  '@request.body.created_by = @request.auth.id',
  '@request.body.author != @request.query.author',
];

const check = (...definitions: readonly unknown[]) =>
  checkDefinitions([...builtInTypes, ...definitions.map((definition, index) => ({ file: `${index}`, definition }))]);

const inLists = impossible.map((row) => ['list', ...row] as const);
const inPayloads = ['create', 'update'].flatMap((each) => impossibleInBodies.map((row) => [each, ...row] as const));
const withoutBody = ['list', 'get', 'delete'].map(
  (each) =>
    [each, '@request.body.status = null', '@request.body.status', 'Requests to this endpoint have no body'] as const,
);

describe('definitions with a literal that is never held', () => {
  test.each([...inLists, ...inPayloads, ...withoutBody])('%s: %s', (endpoint, rule, literal, message) => {
    const { faults = [] } = check(author, withRule(rule, endpoint));
    expect(faults.map(({ path }) => path)).toEqual([`api.${endpoint}.filter`]);
    const [fault] = faults;
    expect(`${fault?.message}.`).toContain(message.replace(/[.]$/, ''));
    const [line = '', carets = ''] = (fault?.excerpt ?? '').split('\n');
    expect(line.slice(carets.indexOf('^'), carets.length)).toBe(literal);
  });

  test.each(['get', 'create', 'update', 'delete'])('in each rule of %s', (endpoint) => {
    for (const option of ['filter', 'filter_auth']) {
      const { faults = [] } = check(author, withRule('@request.auth.id != ""', endpoint, option));
      expect(faults.map(({ path }) => path)).toEqual([`api.${endpoint}.${option}`]);
    }
  });
});

test.each(possible)('%s is a rule', (rule) => {
  expect(check(author, withRule(rule)).faults).toBeUndefined();
});

test.each(possibleInBodies)('%s is a rule of create and update', (rule) => {
  for (const endpoint of ['create', 'update']) {
    expect(check(author, withRule(rule, endpoint)).faults).toBeUndefined();
  }
});
