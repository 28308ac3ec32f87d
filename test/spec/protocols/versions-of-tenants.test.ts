// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// What is returned and done of a record's versions and its draft stays with the tenant that the record belongs to.

const definition = {
  singular: 'note',
  plural: 'notes',
  protocols: ['tenantable', { name: 'versionable', drafts: true }, 'statusable'],
  fields: [{ name: 'title', field_type: 'text', unique: true }],
};

test('versions and drafts of another tenant are not there', async () => {
  await using service = await TestService.open([definition]);
  for (const tenant of ['acme', 'bolt']) await service.account(tenant, 'admin', tenant);
  const path = '/api/v1/admin/cms/notes';
  const made = await service.send(`POST ${path}`, { as: 'acme', body: { title: 'a', status: 'published' } });
  const one = `${path}/${made.json.id}`;
  const expected: readonly [line: string, own: number, body?: object][] = [
    [`GET ${one}/revisions`, 200],
    [`GET ${one}/revisions/1`, 200],
    [`GET ${one}/revisions/1/diff/1`, 200],
    [`POST ${one}/revisions/1/restore`, 200],
    [`GET ${one}?draft=true`, 200],
    [`PUT ${one}?draft=true`, 200, { title: 'b' }],
    [`DELETE ${one}/draft`, 204],
    [`POST ${one}/publish`, 409],
  ];
  for (const [line, own, body] of expected) {
    const sent = body === undefined ? {} : { body };
    const other = await service.send(line, { as: 'bolt', ...sent });
    const reply = await service.send(line, { as: 'acme', ...sent });
    expect([line, other.status, reply.status]).toEqual([line, 404, own]);
  }
});
