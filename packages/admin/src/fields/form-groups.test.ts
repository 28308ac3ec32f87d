import { expect, test } from 'bun:test';
import type { FieldFacts, FormType, WrittenField } from './field.ts';
import { formFields } from './form-fields.ts';
import { fieldMarks, formGroups } from './form-groups.ts';

type Groups = NonNullable<FormType['definition']['admin']>['groups'];

const facts = ({ name, field_type, required = false }: WrittenField): FieldFacts => ({
  ...{ name, field_type, origin: 'declared', required, must_be_sent: required, private: false, immutable: false },
  ...{ writable: true, writers: null, target: null, many: false },
});

const typeOf = (fields: readonly WrittenField[], groups: Groups = []): FormType => ({
  ...{ singular: 'thing', plural: 'things', name: 'Thing', kind: 'collection', fields: fields.map(facts) },
  definition: { fields, admin: { title_field: 'title', groups } },
});

const text = (name: string, required = false): WrittenField => ({ name, field_type: 'text', required });

/** The fields of each group, as `label: fields`. */
const layout = (type: FormType): readonly string[] =>
  formGroups(type).map(({ label, fields }) => `${label ?? ''}: ${fields.map(({ name }) => name).join(' ')}`);

test.each<[string, Groups, readonly string[]]>([
  ['in no group', [], [': title code note']],
  ['in a group', [{ label: 'Text', fields: ['title', 'note'] }], [': title code', 'Text: note']],
  ['alone in a group', [{ label: 'Text', fields: ['title'] }], [': title code note']],
  [
    'in the second group',
    [
      { label: 'A', fields: ['code'] },
      { label: 'B', fields: ['note', 'title'] },
    ],
    [': title', 'A: code', 'B: note'],
  ],
  ['at the side', [{ label: 'Side', fields: ['title'], column: 'side' }], [': code note', 'Side: title']],
])('the title comes first where it is %s', (_name, groups, expected) => {
  expect(layout(typeOf([text('code'), text('title'), text('note')], groups))).toEqual(expected);
});

test.each<[string, readonly WrittenField[], 'required' | 'optional']>([
  ['one of three must be filled', [text('title', true), text('a'), text('b')], 'required'],
  ['as many must be filled as not', [text('title', true), text('a')], 'required'],
  ['two of three must be filled', [text('title', true), text('a', true), text('b')], 'optional'],
  ['checkboxes do not count', [text('title', true), { name: 'on', field_type: 'boolean' }], 'optional'],
])('what is marked where %s', (_name, fields, marked) => {
  expect(fieldMarks(formFields(typeOf(fields)))).toBe(marked);
});
