import { describe, expect, test } from 'bun:test';
import { CompiledSchema } from '../../values/compiled-schema.ts';
import type { FieldOptions } from '../content-type.ts';
import type { FieldType } from '../field-type.ts';
import { fieldOf, id } from './cases/field-case.fixture.ts';
import { idField } from './id-field.ts';
import { type FieldTypeName, fieldTypeNames, fieldTypes } from './index.ts';

describe('options', () => {
  const faulty: readonly (readonly [FieldTypeName, FieldOptions, string])[] = [
    ['text', { min_length: 3, max_length: 2 }, 'min_length'],
    ['text', { pattern: '(' }, 'pattern'],
    ['text', { pattern: '\\-' }, 'pattern'],
    ['richtext', { min_length: 1, max_length: 0 }, 'min_length'],
    ['email', { max_length: 255 }, 'max_length'],
    ['email', { min_length: 255 }, 'min_length'],
    ['password', { max_length: 7 }, 'max_length'],
    ['password', { max_length: 1025 }, 'max_length'],
    ['uid', { max_length: 201 }, 'max_length'],
    ['uid', { max_length: 0 }, 'max_length'],
    ['media', { max_length: 2049 }, 'max_length'],
    ['enum', {}, 'enum_values'],
    ['enum', { enum_values: [] }, 'enum_values'],
    ['enum', { enum_values: ['a', 'a'] }, 'enum_values'],
    ['enum', { enum_values: [''] }, 'enum_values'],
    ['integer', { min: 1.5 }, 'min'],
    ['integer', { max: '3' }, 'max'],
    ['integer', { min: 3, max: 2 }, 'min'],
    ['bigint', { min: 'x' }, 'min'],
    ['bigint', { min: '9223372036854775807', max: '9223372036854775806' }, 'min'],
    ['decimal', { max: '1e5' }, 'max'],
    ['decimal', { min: '0.2', max: '0.1' }, 'min'],
    ['float', { min: '1' }, 'min'],
    ['date', { min: '2026-02-30' }, 'min'],
    ['date', { min: '2026-02-02', max: '2026-02-01' }, 'min'],
    ['datetime', { min: '2026-02-02' }, 'min'],
    ['time', { max: '25:00' }, 'max'],
    ['list', { min_items: 3, max_items: 2 }, 'min_items'],
    ['list', { max_items: 2, min_items: 3 }, 'min_items'],
    ['blocks', { min_items: 1_001 }, 'min_items'],
  ];
  test.each(faulty)('%s %j is an error of %s', (name, options, option) => {
    const type: FieldType = fieldTypes[name];
    expect(type.checkOptions(options).map((fault) => fault.option)).toEqual([option]);
  });
});

test('a password is stored as an argon2id hash that verifies', async () => {
  const hash = await fieldTypes.password.prepare?.('correct horse');
  expect(hash).toStartWith('$argon2id$');
  expect(await Bun.password.verify('correct horse', String(hash))).toBe(true);
});

test('what can be searched, filtered, sorted and returned', () => {
  const those = (trait: 'searchable' | 'filterable' | 'sortable' | 'secret' | 'alwaysUnique') =>
    fieldTypeNames.filter((name) => (fieldTypes[name] satisfies FieldType)[trait]);
  const compound: readonly string[] = ['json', 'password', 'group', 'list', 'blocks'];
  const scalars = fieldTypeNames.filter((name) => !compound.includes(name));
  expect(those('searchable')).toEqual(['text', 'richtext', 'group', 'list', 'blocks']);
  expect(those('filterable')).toEqual(scalars);
  expect(those('sortable')).toEqual(scalars);
  expect(those('secret')).toEqual(['password']);
  expect(those('alwaysUnique')).toEqual(['uid']);
});

test('a required relation to many documents that it needs one', () => {
  const place = { shape: 'to_many', junction: 'j', target: 'other' } as const;
  const field = fieldOf(fieldTypes.relation, {}, { place, required: true });
  expect(new CompiledSchema(fieldTypes.relation.input(field)).faults([])).toHaveLength(1);
});

test('identifiers are UUIDs in lower case', () => {
  const field = fieldOf(idField);
  expect(idField.parse(id, field)).toEqual({ ok: true, value: id });
  expect(idField.parse('ABC', field)).toMatchObject({ ok: false, code: 'bad_format' });
  expect(idField.parse(7, field)).toMatchObject({ ok: false, code: 'bad_format' });
});
