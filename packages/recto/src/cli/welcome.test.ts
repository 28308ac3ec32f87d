import { expect, test } from 'bun:test';
import { readSettings } from '../config/settings.ts';
import { checkDefinitions } from '../definition/check-definitions.ts';
import { builtInTypes } from '../features/index.ts';
import { ownTypes } from '../features/own-types.ts';
import { typeAddress } from '../http/type-address.ts';
import { listedTypes } from '../service/listed-types.ts';
import { welcomeText } from './welcome.ts';

const typesWith = (...definitions: readonly unknown[]) => {
  const own = definitions.map((definition, index) => ({ file: `${index}.json`, definition }));
  const { types } = checkDefinitions([...builtInTypes, ...own]);
  if (types === undefined) throw new Error('the definitions of this test are wrong');
  return types;
};

const note = { singular: 'note', plural: 'notes', fields: [{ name: 'text', field_type: 'text' }] };
const longerPage = { extends: 'page', fields: [{ name: 'subtitle', field_type: 'text' }] };

const welcome = (...definitions: readonly unknown[]): string =>
  welcomeText({
    url: 'http://127.0.0.1:9898',
    settings: readSettings({}),
    types: listedTypes(typesWith(...definitions)),
    admin: undefined,
  });

test('what ships with the service has a line with its routes', () => {
  const line =
    /^ {2}Built in +\/api\/v1\/pages {2}\/api\/v1\/cms\/categories {2}\/api\/v1\/posts {2}\/api\/v1\/comments {2}\/api\/v1\/media$/m;
  expect(welcome()).toMatch(line);
  expect(welcome()).toContain('No content types of your own yet');
  expect(welcome(note)).toMatch(line);
});

test('only the types of the user’s own files are counted', () => {
  expect(welcome(note)).toContain('  1 content type\n');
  expect(welcome(note)).toMatch(/^ {2}notes +\/api\/v1\/cms\/notes$/m);
  expect(welcome(note, longerPage)).toContain('  2 content types\n');
  expect(ownTypes(typesWith().all)).toEqual([]);
  expect(ownTypes(typesWith(longerPage).all).map(typeAddress)).toEqual(['/api/v1/pages']);
});

test('the first admin is set up with the password that is shown once', () => {
  const shown = (environment: Record<string, string>, generatedPassword: string | null) =>
    welcomeText({
      url: 'http://127.0.0.1:9898',
      settings: readSettings(environment),
      types: listedTypes(typesWith()),
      admin: { email: 'admin@recto.local', generatedPassword },
    });
  expect(shown({}, 'generated')).toMatch(/^ {2}Admin +http:\/\/127\.0\.0\.1:9898\/admin\/$/m);
  expect(shown({}, 'generated')).toMatch(/^ {2}Set up +http:\/\/127\.0\.0\.1:9898\/admin\/setup#generated$/m);
  expect(shown({}, null)).not.toContain('Set up');
  expect(shown({ RECTO_ADMIN: 'off' }, 'generated')).not.toContain('/admin/');
});
