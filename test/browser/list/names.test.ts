import { afterAll, beforeAll, describe, test } from 'bun:test';
import type { Admin } from '../admin.ts';
import { chromiumPath, skipReason } from '../chromium.ts';
import { openLists, tableOf } from './lists.ts';

const memo = {
  ...{ name: 'Memo', singular: 'memo', plural: 'memos', protocols: ['ownable'] },
  fields: [{ name: 'title', field_type: 'text' }],
  admin: { list_columns: ['title', 'created_by'] },
};

describe.skipIf(chromiumPath === undefined)(`who wrote the records of a list${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await openLists([memo]);
  });
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test('is shown by name', async () => {
    const { status } = await admin.service.send('POST /api/v1/admin/cms/memos', { as: 'eve', body: { title: 'Ink' } });
    if (status !== 201) throw new Error('No memo was made.');
    const page = await admin.page({ as: 'ada', path: '/content/memos' });
    await tableOf(page, 'Memos')
      .getByRole('row', { name: /Ink/ })
      .getByText('eve@example.com', { exact: true })
      .waitFor();
  });
});
