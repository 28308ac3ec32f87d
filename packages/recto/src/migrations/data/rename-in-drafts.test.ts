// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { TestService } from '../../../../../test/support/service.ts';
import { renameInDrafts } from './change-drafts.ts';

test('a field of a type gets another name in the drafts of its records', async () => {
  const text = (name: string) => ({ name, field_type: 'text' });
  const protocols = [{ name: 'versionable', drafts: true }, 'statusable'];
  const definition = {
    singular: 'note',
    plural: 'notes',
    protocols,
    fields: [text('name'), text('label'), text('body')],
  };
  await using service = await TestService.open([definition]);
  await service.account('ada', 'admin');
  const one = async (body: object): Promise<string> => {
    const { id } = await service.seed('notes', { name: 'n', body: 'b', status: 'published' });
    await service.send(`PUT /api/v1/admin/cms/notes/${id}?draft=true`, { as: 'ada', body });
    return `/api/v1/admin/cms/notes/${id}`;
  };
  const [drafted, other] = [await one({ name: 'next', body: 'c' }), await one({ body: 'c' })];
  const note = service.types.get('note');
  await service.database.transaction((transaction) =>
    renameInDrafts(transaction, service.database.dialect, note, { from: 'name', to: 'label' }),
  );
  const draftOf = async (path: string) => (await service.send(`GET ${path}`, { as: 'ada' })).json.__draft;
  expect(await draftOf(drafted)).toMatchObject({
    author: service.idOf('ada'),
    changes: { label: 'next', body: 'c' },
    base: { label: 'n', body: 'b' },
  });
  expect((await draftOf(other)).changes).toEqual({ body: 'c' });
});
