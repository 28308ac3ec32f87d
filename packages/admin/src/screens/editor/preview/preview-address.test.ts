import { expect, test } from 'bun:test';
import { previewAddress, siteAddress } from './preview-address.ts';

const values = { id: 'i', slug: 'a b', title: 'T' };
const parts = { language: 'de', token: 'rpt_x' };

test('an address is made of the record, the language, and the token behind the #', () => {
  expect(previewAddress('https://a.example/{language}/{slug}?id={id}#{token}', values, parts)).toBe(
    'https://a.example/de/a%20b?id=i#rpt_x',
  );
  expect(previewAddress('/x/{id}', values, { ...parts, token: undefined })).toBe('/x/i');
  expect(previewAddress('/x/{id}#{token}', values, { ...parts, token: undefined })).toBeUndefined();
  expect(previewAddress('/x/{slug}', { id: 'i', slug: null }, parts)).toBeUndefined();
});

test('a type without a page has that of the service', () => {
  expect(previewAddress(undefined, values, parts)).toBe('/recto-preview#rpt_x');
  expect(previewAddress('', values, { ...parts, token: undefined })).toBeUndefined();
});

test('readers find a record at a page that needs no token', () => {
  expect(siteAddress('https://a.example/{slug}', values, 'de')).toBe('https://a.example/a%20b');
  expect(siteAddress('https://a.example/{slug}#{token}', values, 'de')).toBeUndefined();
  expect(siteAddress(undefined, values, 'de')).toBeUndefined();
});
