import { expect, test } from 'bun:test';
import { neverRule } from '../rules/never-rule.ts';
import { checkDefinitions } from './check-definitions.ts';
import { checkCompiled } from './compiled-whole.ts';
import type { ContentType, Endpoint } from './content-type.ts';
import { oneLanguage } from './languages/languages.ts';
import type { Report } from './type-draft.ts';
import { draftOf } from './type-names.ts';

const definition = {
  singular: 'note',
  plural: 'notes',
  protocols: ['timestampable', 'soft_deletable'],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'secret', field_type: 'text', private: true },
  ],
  api: { list: { access: 'member', filter: 'title = "x"', filter_auth: 'title = "y"', fields: ['title'] } },
} as const;

const source = { file: 'note.json', definition };
const made = checkDefinitions([source]).types?.get('note');
if (made === undefined) throw new Error('the definition is right');
const compiled: ContentType = made;

/** The paths that are reported of a type that is not as its definition says. */
function reported(type: ContentType | undefined): readonly string[] {
  const paths: string[] = [];
  const report: Report = (path) => paths.push(path);
  const { definition: written } = compiled;
  // True because the compiled type holds the definition as it was written, which is plain JSON.
  checkCompiled(draftOf(source, { whole: written as never, written }, report), type, oneLanguage);
  return paths;
}

const withList = (traits: Partial<Endpoint>): ContentType => ({
  ...compiled,
  endpoints: { ...compiled.endpoints, list: { ...compiled.endpoints.list, ...traits } },
});

const without = (name: string): ContentType => ({
  ...compiled,
  field: new Map([...compiled.field].filter(([field]) => field !== name)),
});

const shown = (name: string): ContentType => ({
  ...compiled,
  field: new Map([...compiled.field].map(([field, one]) => [field, field === name ? { ...one, private: false } : one])),
});

test.each<[string, ContentType | undefined, readonly string[]]>([
  ['all of it', compiled, []],
  ['no type', undefined, ['']],
  ['another definition', { ...compiled, definition: { ...compiled.definition } }, ['']],
  ['no filter', withList({ filter: null }), ['api.list.filter']],
  ['a rule that did not compile', withList({ filterAuth: neverRule('title = "y"') }), ['api.list.filter_auth']],
  ['another rule', withList({ filter: compiled.endpoints.list.filterAuth }), ['api.list.filter']],
  ['all fields', withList({ fields: null }), ['api.list.fields']],
  ['one field more', withList({ fields: new Set(['id', 'title', 'secret']) }), ['api.list.fields']],
  ['access for all', withList({ access: 'public' }), ['api.list.access']],
  ['a field less', without('title'), ['fields[0]']],
  ['a private field that is shown', shown('secret'), ['fields[1]']],
  ['a protocol less', { ...compiled, protocols: compiled.protocols.slice(0, 1) }, ['protocols[1]']],
])('a compiled type with %s', (_, type, paths) => {
  expect(reported(type)).toEqual([...paths]);
});
