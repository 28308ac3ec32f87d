import { describe } from 'bun:test';
import { article, type FaultCase, testFaults, withField } from './definition-faults.fixture.ts';

const ofFields: readonly FaultCase[] = [
  {
    of: [article({ fields: [{ field_type: 'text' }] })],
    path: 'fields[0].name',
    message: /name is missing/,
    remedy: /name = "title"/,
  },
  { of: [withField({})], path: 'fields[1].field_type', message: /field_type is missing/, remedy: /richtext/ },
  {
    of: [withField({ field_type: 'txt' })],
    path: 'fields[1].field_type',
    message: /"txt" is no field type/,
    remedy: /"text"/,
  },
  {
    of: [withField({ field_type: 'string_thing' })],
    path: 'fields[1].field_type',
    message: /no field type/,
    remedy: /one of: text, richtext/,
  },
  {
    of: [withField({ field_type: 'text', requird: true })],
    path: 'fields[1].requird',
    message: /unknown name "requird"/,
    remedy: /"required"/,
  },
  {
    of: [withField({ field_type: 'text', max_length: '200' })],
    path: 'fields[1].max_length',
    message: /must be an integer, not "200"/,
    remedy: /write 200 without quotes/,
  },
  {
    of: [withField({ field_type: 'text', max_length: -1 })],
    path: 'fields[1].max_length',
    message: /0 or more, not -1/,
    remedy: /bound/,
  },
  {
    of: [withField({ field_type: 'boolean', max_length: 3 })],
    path: 'fields[1].max_length',
    message: /type boolean has no max_length/,
    remedy: /leave it out.*: none/,
  },
  {
    of: [withField({ field_type: 'integer', pattern: 'a' })],
    path: 'fields[1].pattern',
    message: /integer has no pattern/,
    remedy: /min, max/,
  },
  {
    of: [withField({ field_type: 'text', relation: { relation_type: 'many_to_one', target: 'articles' } })],
    path: 'fields[1].relation',
    message: /text has no relation/,
    remedy: /field_type = "relation"/,
  },
  {
    of: [withField({ field_type: 'text', min_length: 9, max_length: 3 })],
    path: 'fields[1].min_length',
    message: /\(9\) is greater than \w+ \(3\)/,
    remedy: /min_length or max_length/,
  },
  {
    of: [withField({ field_type: 'text', pattern: '[' })],
    path: 'fields[1].pattern',
    message: /not an ECMAScript regular expression/,
    remedy: /RegExp/,
  },
  {
    of: [withField({ field_type: 'integer', min: 3, max: 1 })],
    path: 'fields[1].min',
    message: /\(3\) is greater than \w+ \(1\)/,
    remedy: /min or max/,
  },
  {
    of: [withField({ field_type: 'enum' })],
    path: 'fields[1].enum_values',
    message: /needs the list/,
    remedy: /enum_values = /,
  },
  {
    of: [withField({ field_type: 'enum', enum_values: 'a' })],
    path: 'fields[1].enum_values',
    message: /must be an array/,
    remedy: /of that type/,
  },
  {
    of: [withField({ field_type: 'enum', enum_values: ['a', 1] })],
    path: 'fields[1].enum_values[1]',
    message: /must be a string, not 1/,
    remedy: /of that type/,
  },
  {
    of: [withField({ field_type: 'enum', enum_values: ['a', 'a'] })],
    path: 'fields[1].enum_values',
    message: /twice/,
    remedy: /list/,
  },
  {
    of: [withField({ field_type: 'text', default: 3 })],
    path: 'fields[1].default',
    message: /not a valid value: Must be a string[^.]*$/,
    remedy: /write a valid value/,
  },
  {
    of: [withField({ field_type: 'text', max_length: 2, default: 'abc' })],
    path: 'fields[1].default',
    message: /at most 2 characters/,
    remedy: /write a valid value/,
  },
  {
    of: [withField({ field_type: 'enum', enum_values: ['a'], default: 'b' })],
    path: 'fields[1].default',
    message: /one of: a/,
    remedy: /write a valid value/,
  },
  {
    of: [withField({ field_type: 'password', default: 'password1' })],
    path: 'fields[1].default',
    message: /secret/,
    remedy: /leave/,
  },
  {
    of: [withField({ field_type: 'json', unique: true })],
    path: 'fields[1].unique',
    message: /json cannot/,
    remedy: /leave unique out/,
  },
  {
    of: [withField({ field_type: 'password', unique: true })],
    path: 'fields[1].unique',
    message: /password cannot/,
    remedy: /leave/,
  },
  {
    of: [withField({ field_type: 'uid', target_field: 'titel' })],
    path: 'fields[1].target_field',
    message: /no field "titel"/,
    remedy: /title/,
  },
  {
    of: [withField({ field_type: 'uid', target_field: 'x' })],
    path: 'fields[1].target_field',
    message: /no field "x" to derive/,
    remedy: /title/,
  },
  {
    of: [
      article({
        fields: [
          { name: 'n', field_type: 'integer' },
          { name: 'u', field_type: 'uid', target_field: 'n' },
        ],
      }),
    ],
    path: 'fields[1].target_field',
    message: /of type integer/,
    remedy: /text, richtext/,
  },
  {
    of: [
      article({
        fields: [
          { name: 'n', field_type: 'text', private: true },
          { name: 'u', field_type: 'uid', target_field: 'n' },
        ],
      }),
    ],
    path: 'fields[1].target_field',
    message: /private field "n"/,
    remedy: /private too/,
  },
  ...['id', 'page', 'page_size', 'sort', 'search', 'include', 'skip_total', 'cursor', 'constructor'].map((name) => ({
    of: [article({ fields: [{ name, field_type: 'text' }] })],
    path: 'fields[0].name',
    message: new RegExp(`"${name}" is taken`),
    remedy: /another name/,
  })),
  ...['Title', '1st', '__meta', 'a b', '', 'ünï'].map((name) => ({
    of: [article({ fields: [{ name, field_type: 'text' }] })],
    path: 'fields[0].name',
    message: /is no name|is empty/,
    remedy: /begins with a letter|name the field/,
  })),
  {
    of: [article({ protocols: ['timestampable'], fields: [{ name: 'created_at', field_type: 'datetime' }] })],
    path: 'fields[0].name',
    message: /column of a protocol/,
    remedy: /another name/,
  },
  {
    of: [
      article({
        fields: [
          { name: 'a', field_type: 'text' },
          { name: 'b', field_type: 'text' },
          { name: 'a', field_type: 'date' },
        ],
      }),
    ],
    path: 'fields[2].name',
    message: /"a" is already defined as fields\[0\]/,
    remedy: /own name/,
  },
];

describe('errors of fields', () => testFaults(ofFields));
