import { expect, test } from 'bun:test';
import { definitionsOf } from '../../../../test/support/definitions.ts';
import { contentTypesModule } from './content-types-module.ts';

test('a relation to accounts is an id or a public profile', () => {
  const relation = (relation_type: string) => ({
    field_type: 'relation',
    relation: { relation_type, target: 'users' },
  });
  const fields = [
    { name: 'author', ...relation('many_to_one') },
    { name: 'team', ...relation('many_to_many') },
  ];
  const text = contentTypesModule(definitionsOf({ singular: 'article', plural: 'articles', fields }));
  expect(text).toContain('author: string | PublicProfile | null;');
  expect(text).toContain('team: (string | PublicProfile)[];');
  expect(text).toMatch(/interface PublicProfile \{[^}]*display_name: string \| null;/);
});
