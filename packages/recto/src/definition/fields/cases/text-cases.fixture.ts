import { type FieldCase, same } from './field-case.fixture.ts';

const texts: readonly FieldCase[] = (['text', 'richtext'] as const).flatMap((type): FieldCase[] => [
  {
    type,
    takes: same('', 'words', '<b>x</b>', '😀'.repeat(3), 'x'.repeat(100_000)),
    rejects: [
      [1, 'wrong_type'],
      [true, 'wrong_type'],
      [['a'], 'wrong_type'],
      [{}, 'wrong_type'],
      ['a\0b', 'invalid_text'],
      ['a\ud800', 'invalid_text'],
    ],
  },
  {
    type,
    options: { min_length: 2, max_length: 3 },
    takes: same('ab', 'abc', '😀😀', '😀😀😀'),
    rejects: [
      ['', 'too_short'],
      ['a', 'too_short'],
      ['😀', 'too_short'],
      ['abcd', 'too_long'],
      ['😀😀😀😀', 'too_long'],
      ['x'.repeat(1000), 'too_long'],
    ],
  },
  {
    type,
    options: { pattern: '^\\p{Lu}+$' },
    takes: same('ABC', 'ÄÖ'),
    rejects: [
      ['abc', 'bad_format'],
      ['', 'bad_format'],
    ],
  },
  { type, options: { pattern: 'b' }, takes: same('abc'), rejects: [['ac', 'bad_format']] },
]);

export const textCases: readonly FieldCase[] = [
  ...texts,
  {
    type: 'email',
    takes: same('a@example.org', 'First.Last+tag@sub.example.co', "o'neil@example.org"),
    rejects: [
      ['a', 'bad_format'],
      ['a@b', 'bad_format'],
      ['a@@example.org', 'bad_format'],
      ['a b@example.org', 'bad_format'],
      ['a@example.org\n', 'bad_format'],
      ['.a@example.org', 'bad_format'],
      ['a@-example.org', 'bad_format'],
      [`${'a'.repeat(65)}@example.org`, 'bad_format'],
      [`a@${'b.'.repeat(126)}cc`, 'too_long'],
      [1, 'wrong_type'],
    ],
  },
  {
    type: 'email',
    options: { pattern: '@example\\.org$' },
    takes: same('a@example.org'),
    rejects: [['a@example.com', 'bad_format']],
  },
  {
    type: 'password',
    takes: same('12345678', 'x'.repeat(1024), '😀😀😀😀😀😀😀😀'),
    rejects: [
      ['1234567', 'too_short'],
      ['x'.repeat(1025), 'too_long'],
      [12345678, 'wrong_type'],
      ['1234567\0', 'invalid_text'],
    ],
  },
  {
    type: 'password',
    options: { min_length: 12 },
    takes: same('123456789012'),
    rejects: [['12345678901', 'too_short']],
  },
  {
    type: 'enum',
    options: { enum_values: ['draft', 'Live'] },
    takes: same('draft', 'Live'),
    rejects: [
      ['live', 'not_allowed'],
      ['', 'not_allowed'],
      [0, 'not_allowed'],
    ],
  },
  {
    type: 'uid',
    takes: same('a', 'hello-world', '2026-in-review', 'x'.repeat(200)),
    rejects: [
      ['', 'bad_format'],
      ['Hello', 'bad_format'],
      ['a--b', 'bad_format'],
      ['-a', 'bad_format'],
      ['a-', 'bad_format'],
      ['a_b', 'bad_format'],
      ['ä', 'bad_format'],
      ['a\n', 'bad_format'],
      ['x'.repeat(201), 'too_long'],
      [1, 'wrong_type'],
    ],
  },
  { type: 'uid', options: { max_length: 3 }, takes: same('abc'), rejects: [['abcd', 'too_long']] },
  {
    type: 'media',
    takes: same('https://example.org/a.png', 'HTTP://example.org', '/uploads/a.png', '/'),
    rejects: [
      ['javascript:alert(1)', 'bad_format'],
      ['data:text/html,x', 'bad_format'],
      ['//evil.example/a.png', 'bad_format'],
      ['/\\evil.example', 'bad_format'],
      ['https://', 'bad_format'],
      ['uploads/a.png', 'bad_format'],
      [' /a.png', 'bad_format'],
      ['/a\tb', 'bad_format'],
      ['', 'bad_format'],
      [`/${'a'.repeat(2048)}`, 'too_long'],
      [1, 'wrong_type'],
    ],
  },
];
