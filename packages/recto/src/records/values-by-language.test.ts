import { expect, test } from 'bun:test';
import { withBuiltInsIn } from '../../../../test/support/definitions.ts';
import { byLanguage } from './values-by-language.ts';

const note = {
  singular: 'note',
  plural: 'notes',
  fields: [
    { name: 'title', field_type: 'text', localized: true },
    { name: 'cover', field_type: 'media', localized: true },
    { name: 'more', field_type: 'json', localized: true },
  ],
};
const file = '01a21d59-5f9b-7714-96cf-cf196f2b65e1';
const other = '01a21d59-5f9b-7714-96cf-cf196f2b65e2';

const apart = (languages: string, body: object) => {
  const { body: own, others, faults } = byLanguage(withBuiltInsIn(languages, note).get('note'), { ...body });
  return { body: own, others: Object.fromEntries(others), faults: faults.map(({ field }) => field) };
};

test('a file as answers have it is one, also where a language is called id', () => {
  for (const cover of [{ id: file }, { id: file, url: '/a.png', alt: 'A' }]) {
    expect(apart('en,id', { cover })).toEqual({ body: { cover }, others: {}, faults: [] });
    expect(apart('en,id,alt', { cover }).body).toEqual({ cover });
  }
  const isIndonesian = { body: { cover: null }, others: { id: { cover: file } }, faults: [] };
  expect(apart('en,id', { cover: { en: null, id: file } })).toEqual(isIndonesian);
  expect(apart('en,id', { cover: { id: { id: file } } })).toEqual({
    ...{ body: {}, others: { id: { cover: { id: file } } }, faults: [] },
  });
  // Where that is the default language, both say the same.
  expect(apart('id,en', { cover: { id: file } })).toEqual({ body: { cover: file }, others: {}, faults: [] });
  expect(apart('en,id,de', { cover: { en: other, de: file, id: file } }).others).toEqual({
    ...{ de: { cover: file }, id: { cover: file } },
  });
  // What says that it was read with all languages is by language, a file that Indonesian alone shows as well.
  expect(apart('en,id', { __language: '*', cover: { id: file } })).toEqual({
    ...{ body: {}, others: { id: { cover: file } }, faults: [] },
  });
  // In any other field, it is what Indonesian says.
  expect(apart('en,id', { title: { id: 'Halo' } }).others).toEqual({ id: { title: 'Halo' } });
});

test('what was read with all languages is taken apart', () => {
  expect(apart('en,de', { __language: '*', title: { en: 'Hello', de: 'Hallo' }, more: { de: { a: 1 } } })).toEqual({
    ...{ body: { title: 'Hello' }, others: { de: { title: 'Hallo', more: { a: 1 } } }, faults: [] },
  });
});
