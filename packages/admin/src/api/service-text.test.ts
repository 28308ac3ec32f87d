import { afterEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { RectoError } from '@recto/client';
import { catalogues } from '../text/catalogues.ts';
import { useLanguage } from '../text/text.ts';
import { faultText, problemText } from './service-text.ts';

afterEach(() => useLanguage('en'));

const problem = (code: string, detail: string, errors: readonly object[] = []) =>
  new RectoError(409, { code, detail, errors });

test('a problem of the service is said in the language of the admin, one without a text in its own words', async () => {
  expect(problemText(problem('not_found', 'There is no such record.'))).toBe('There is no such record.');
  await useLanguage('de');
  expect(problemText(problem('not_found', 'There is no such record.'))).toBe('Das gibt es nicht oder nicht mehr.');
  expect(problemText(problem('validation_failed', '2 fields are not valid.', [{}, {}]))).toBe(
    '2 Angaben sind nicht gültig.',
  );
  for (const code of ['stored_data', 'of_a_project', 'constructor'])
    expect(problemText(problem(code, 'As it is.'))).toBe('As it is.');
});

test('a field is called by its label', () => {
  const said = (field: string, message: string, label?: string) =>
    faultText({ field, code: 'required', message }, label);
  expect(said('reading_minutes', 'reading_minutes is required.', 'Reading minutes')).toBe(
    'Reading minutes is required.',
  );
  // No part of another word or path, and nothing of what others wrote.
  expect(said('a', 'A draft cannot change a: not a-b, a.b or data.', '$& Label')).toBe(
    'A draft cannot change $& Label: not a-b, a.b or data.',
  );
  expect(said('body[2].title', 'title is required.', 'Body')).toBe('title is required.');
  expect(said('title', 'title is required.')).toBe('title is required.');
});

test('what is wrong with a field keeps its limit in German', async () => {
  await useLanguage('de');
  const said = (code: string, message: string) => faultText({ field: 'title', code, message }, 'Titel');
  expect(said('required', 'title is required.')).toBe('Das fehlt noch.');
  expect(said('too_long', 'Must have at most 200 characters.')).toBe('Darf höchstens 200 Zeichen haben.');
  expect(said('too_small', 'Must be 0.5 or more.')).toBe('Der Wert ist zu klein. Die Grenze ist 0.5.');
  expect(said('too_large', 'Must be less than -3.')).toBe('Der Wert ist zu groß. Die Grenze ist -3.');
  // Without a number that could be read, the service is quoted.
  expect(said('too_short', 'Must not be empty.')).toBe('Must not be empty.');
  expect(said('own_code', 'Only on weekdays.')).toBe('Only on weekdays.');
});

test('what is wrong with one of several records is said by the code of its problem', async () => {
  await useLanguage('fr');
  const said = (code: string) => faultText({ field: 'records[1]', code, message: 'As it is.' });
  expect(said('record_in_use')).toBe('D’autres contenus en ont besoin. Il ne peut pas être supprimé.');
  expect(said('of_a_project')).toBe('As it is.');
});

test.each([...catalogues])('every code of %s is one of the service', async (_, load) => {
  const docs = await Bun.file(join(import.meta.dir, '../../../../docs/rest-api.md')).text();
  const client = new Set(['offline', 'timeout']);
  const { problems } = await load();
  const unknown = Object.keys(problems).filter(
    (code) =>
      !client.has(code) &&
      ![code, code.replace(/^(?:field|definition)_/, '')].some((one) => docs.includes(`\`${one}\``)),
  );
  expect(unknown).toEqual([]);
});
