import { describe } from 'bun:test';
import { author, type FaultCase, relation, testFaults, withField } from './definition-faults.fixture.ts';

const ofRelations: readonly FaultCase[] = [
  {
    of: [withField({ field_type: 'relation' })],
    path: 'fields[1].relation',
    message: /does not say to what/,
    remedy: /relation_type = /,
  },
  {
    of: [withField({ field_type: 'relation', relation: 'authors' })],
    path: 'fields[1].relation',
    message: /must be an object/,
    remedy: /of that type/,
  },
  {
    of: [withField({ field_type: 'relation', relation: { target: 'articles' } })],
    path: 'fields[1].relation.relation_type',
    message: /missing/,
    remedy: /one_to_one, many_to_one/,
  },
  {
    of: [withField({ field_type: 'relation', relation: { relation_type: 'many_to_one' } })],
    path: 'fields[1].relation.target',
    message: /missing/,
    remedy: /target = /,
  },
  {
    of: [withField(relation('many_to_on', 'articles'))],
    path: 'fields[1].relation.relation_type',
    message: /no relation type/,
    remedy: /"many_to_one"/,
  },
  {
    of: [withField(relation('many_to_one', 'auhtors')), author],
    path: 'fields[1].relation.target',
    message: /no content type "auhtors"/,
    remedy: /"authors"/,
  },
  {
    of: [withField(relation('many_to_one', 'authors', { mapped_by: 'x' })), author],
    path: 'fields[1].relation.mapped_by',
    message: /not mapped/,
    remedy: /leave it out/,
  },
  {
    of: [withField(relation('many_to_one', 'authors', { cascades: true })), author],
    path: 'fields[1].relation.cascades',
    message: /unknown name/,
    remedy: /"cascade"/,
  },
  {
    of: [withField(relation('many_to_many', 'authors', { cascade: true })), author],
    path: 'fields[1].relation.cascade',
    message: /does not belong to another by a many_to_many/,
    remedy: /many_to_one/,
  },
  {
    of: [withField(relation('many_to_one', 'users', { cascade: true }))],
    path: 'fields[1].relation.cascade',
    message: /do not belong to accounts/,
    remedy: /leave it out/,
  },
  {
    of: [withField({ ...relation('many_to_one', 'authors', { cascade: true }), localized: true }), author],
    path: 'fields[1].relation.cascade',
    message: /same one in all languages/,
    remedy: /leave localized out/,
  },
  {
    of: [withField({ ...relation('many_to_one', 'authors'), default: 'x' }), author],
    path: 'fields[1].default',
    message: /record id/,
    remedy: /write a valid value/,
  },
  {
    of: [withField({ ...relation('many_to_many', 'authors'), unique: true }), author],
    path: 'fields[1].unique',
    message: /means nothing on a relation to many/,
    remedy: /leave/,
  },
  {
    of: [withField({ ...relation('many_to_many', 'authors'), default: [] }), author],
    path: 'fields[1].default',
    message: /means nothing/,
    remedy: /leave/,
  },
  {
    of: [withField(relation('one_to_many', 'authors')), author],
    path: 'fields[1].relation',
    message: /no field of author that points back/,
    remedy: /add a many_to_one field in 1/,
  },
  {
    of: [withField(relation('one_to_many', 'authors', { mapped_by: 'name' })), author],
    path: 'fields[1].relation.mapped_by',
    message: /"name" is no field/,
    remedy: /many_to_one/,
  },
  {
    of: [
      withField(relation('one_to_many', 'authors')),
      {
        ...author,
        fields: [
          { name: 'a', ...relation('many_to_one', 'articles') },
          { name: 'b', ...relation('one_to_one', 'article') },
        ],
      },
    ],
    path: 'fields[1].relation',
    message: /several fields of author point back: a, b/,
    remedy: /mapped_by = "a"/,
  },
  {
    of: [
      withField(relation('one_to_many', 'authors')),
      { ...author, fields: [{ name: 'a', ...relation('many_to_one', 'articles'), private: true }] },
    ],
    path: 'fields[1]',
    message: /private field "a" of author/,
    remedy: /private too/,
  },
  ...['required', 'unique', 'immutable'].map((option) => ({
    of: [
      withField({ ...relation('one_to_many', 'authors'), [option]: true }),
      { ...author, fields: [{ name: 'a', ...relation('many_to_one', 'articles') }] },
    ],
    path: `fields[1].${option}`,
    message: /means nothing on the mapped side/,
    remedy: /leave it out/,
  })),
];

describe('errors of relations', () => testFaults(ofRelations));
