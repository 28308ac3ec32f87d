// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// PostgreSQL keeps 63 bytes of a name in a statement: two that differ behind them are one.

const relation = (name: string, relation_type: string, target: string) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
});

test('a type with the longest name shows the profiles that its records name, by the last condition of its rule too', async () => {
  const longest = 'a'.repeat(50);
  const filter = Array(12).fill('tags.lead.lead.name ?= "Ines"').join(' || ');
  await using service = await TestService.open([
    {
      singular: longest,
      plural: 'entries',
      fields: [relation('owner', 'many_to_one', 'users'), relation('tags', 'many_to_many', 'tags')],
      api: { get: { filter: `(${filter.replaceAll('Ines', 'Nobody')}) || tags.lead.lead.name ?= "Ines"` } },
    },
    { singular: 'tag', plural: 'tags', fields: [relation('lead', 'many_to_one', 'people')] },
    {
      singular: 'person',
      plural: 'people',
      fields: [{ name: 'name', field_type: 'text' }, relation('lead', 'many_to_one', 'people')],
    },
  ]);
  const owner = await service.account('mia');
  await service.send('PUT /api/v1/auth/me', { as: 'mia', body: { display_name: 'Mia' } });
  const { id: ines } = await service.seed('people', { name: 'Ines' });
  const { id: lead } = await service.seed('people', { lead: ines });
  const { id: tag } = await service.seed('tags', { lead });
  await service.seed('entries', { owner, tags: [tag] });
  const comparisons = new URLSearchParams({ filter: Array(12).fill('owner.display_name = "Mia"').join(' && ') });
  const { status, json } = await service.send(`GET /api/v1/cms/entries?${comparisons}`);
  expect({ status, total: json.total }).toEqual({ status: 200, total: 1 });
});
