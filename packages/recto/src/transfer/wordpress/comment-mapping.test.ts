import { expect, test } from 'bun:test';
import { withBuiltIns } from '../../../../../test/support/definitions.ts';
import { mapComment } from './comment-mapping.ts';
import { comment, now } from './mapping.fixture.ts';
import type { WxrComment } from './wxr-entry.ts';

const type = withBuiltIns().get('comment');
const map = (parts: Partial<WxrComment>) => mapComment(comment(parts), type, now);

test('an anonymous comment', () => {
  expect(map({ content: '<p>Well <b>said</b> &amp; true.</p>', author: 'Zoe &amp; Max' })).toEqual({
    skipped: null,
    body: {
      nickname: 'Zoe & Max',
      email: 'zoe@visitor.example',
      content: 'Well said & true.',
      status: 'Approved',
      created_at: '2020-05-18T10:00:00.000Z',
      updated_at: '2020-05-18T10:00:00.000Z',
    },
    user: null,
    remarks: [],
  });
});

const parts: readonly [name: string, parts: Partial<WxrComment>, expected: object][] = [
  ['not approved yet', { approved: '0' }, { body: { status: 'Pending' } }],
  ['on hold', { approved: 'hold' }, { body: { status: 'Pending' } }],
  ['spam', { approved: 'spam' }, { body: { status: 'Spam' } }],
  ['an unknown state', { approved: 'who knows' }, { body: { status: 'Pending' } }],
  ['trash', { approved: 'trash' }, { skipped: 'in the trash' }],
  ['trash of a post', { approved: 'post-trashed' }, { skipped: 'in the trash' }],
  ['no type', { type: '' }, { skipped: null }],
  ['a pingback', { type: 'pingback' }, { skipped: 'pingbacks: notices of other sites, not comments' }],
  ['a trackback', { type: 'trackback' }, { skipped: 'trackbacks: notices of other sites, not comments' }],
  ["a plugin's own type", { type: 'order_note' }, { skipped: 'of the type “order_note”, which a plugin has added' }],
  ['an image alone', { content: '<img src="x.jpg">' }, { skipped: 'without text' }],
  [
    'an author of the site',
    { userId: '7', email: 'ada@site.example' },
    { user: { id: '7', email: 'ada@site.example' } },
  ],
  ['no nickname', { author: '' }, { body: { nickname: null } }],
  ['a nickname with invisible characters', { author: '\u200bZoe\u3164\ufe0f \u202e' }, { body: { nickname: 'Zoe' } }],
  ['an invisible nickname', { author: '\u3164\u2060' }, { body: { nickname: null } }],
  ['a long nickname', { author: 'x'.repeat(200) }, { body: { nickname: `${'x'.repeat(99)}…` } }],
  ['no address', { email: '' }, { body: { email: null }, remarks: [] }],
  [
    'a wrong address',
    { email: 'no address' },
    { body: { email: null }, remarks: ['with an e-mail address that is none: left out'] },
  ],
  ['the longest content', { content: '😀'.repeat(5000) }, { body: { content: '😀'.repeat(5000) }, remarks: [] }],
  [
    'a longer content',
    { content: '😀'.repeat(5001) },
    { body: { content: `${'😀'.repeat(4999)}…` }, remarks: ['of more than 5000 characters: cut'] },
  ],
  ['no time', { dateGmt: '', date: '' }, { body: { created_at: now } }],
];
test.each(parts)('%s', (_name, given, expected) => expect(map(given)).toMatchObject(expected));
