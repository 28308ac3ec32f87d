import { describe, expect, test } from 'bun:test';
import { faultsOf } from '../../support/check-files.ts';
import { TestService } from '../../support/service.ts';

const desk = {
  singular: 'desk',
  plural: 'desks',
  fields: [{ name: 'name', field_type: 'text' }],
  api: { get: { access: ['writer', 'editor'] } },
};
const note = {
  singular: 'note',
  plural: 'notes',
  fields: [
    { name: 'text', field_type: 'text' },
    { name: 'desk', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'desks' } },
  ],
  api: { list: { access: 'public' }, create: { access: ['writer'] }, update: { access: ['editor'] } },
};

describe('access for roles', () => {
  test('is for them and for admins, also through relations', async () => {
    await using service = await TestService.open([desk, note], { roles: [{ name: 'writer' }, { name: 'reader' }] });
    const as = { ada: 'admin', eve: 'editor', wim: 'writer', rob: 'reader', mia: 'member' } as const;
    for (const [name, role] of Object.entries(as)) await service.account(name, role);
    const { id } = (await service.send('POST /api/v1/admin/cms/desks', { as: 'ada', body: { name: 'News' } })).json;
    await service.send('POST /api/v1/admin/cms/notes', { as: 'ada', body: { text: 'x', desk: id } });
    const statuses = async (line: string, body?: object) => {
      const found: Record<string, number> = {};
      for (const name of Object.keys(as))
        found[name] = (await service.send(line, { as: name, ...(body && { body }) })).status;
      return found;
    };
    expect(await statuses(`GET /api/v1/cms/desks/${id}`)).toEqual({ ada: 200, eve: 200, wim: 200, rob: 403, mia: 403 });
    expect(await statuses('POST /api/v1/cms/notes', { text: 'y' })).toEqual({
      ada: 201,
      eve: 403,
      wim: 201,
      rob: 403,
      mia: 403,
    });
    expect((await service.send(`GET /api/v1/cms/desks/${id}`)).status).toBe(401);
    const included = async (name?: string) =>
      (await service.send('GET /api/v1/cms/notes?include=desk&page_size=1', name === undefined ? {} : { as: name }))
        .json.items[0].desk;
    for (const name of ['ada', 'eve', 'wim']) expect(await included(name)).toMatchObject({ name: 'News' });
    for (const name of ['rob', 'mia', undefined]) expect(await included(name)).toBeNull();
    for (const name of ['wim', 'rob', 'ada'])
      expect(await included(name)).toEqual(name === 'rob' ? null : expect.objectContaining({ id }));
  });

  test('names roles that there are', async () => {
    const access = {
      ...note,
      fields: [],
      api: { list: { access: ['editr', 'admin'] }, get: { access: 'writers' }, create: { access: [] } },
    };
    expect((await faultsOf(access)).toSorted()).toEqual([
      'api.create.access: names no role — write access = ["editor"], or "none"',
      'api.get.access: "writers" is no access — it is one of: none, public, member, admin',
      'api.list.access[0]: there is no role "editr" — did you mean "editor"?',
    ]);
  });
});
