// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBeside } from '../../support/run-beside.ts';
import { TestService } from '../../support/service.ts';

// What protocols keep of a record goes with it into another database: marks, states, times, places and trees.

const definitions = [
  {
    singular: 'note',
    plural: 'notes',
    protocols: [
      'soft_deletable',
      { name: 'statusable', values: ['a', 'b'], transitions: { a: ['b'] } },
      'expirable',
      'sortable',
      'nestable',
    ],
    fields: [{ name: 'title', field_type: 'text' }],
  },
];

test('an export that is imported returns the same records', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-transfer-'));
  try {
    await using from = await TestService.open(definitions, { builtIn: true });
    await using to = await TestService.open(definitions, { builtIn: true });
    const root = await from.seed('notes', { title: 'root', status: 'b', expires_at: '2000-01-01T00:00:00Z' });
    const middle = await from.seed('notes', { title: 'middle' });
    const leaf = await from.seed('notes', { title: 'leaf', parent_id: middle.id });
    for (const service of [from, to]) await service.account('ada', 'admin');
    const admin = '/api/v1/admin/cms/notes';
    // A parent that is younger than its child, and one that is deleted.
    const young = await from.seed('notes', { title: 'young', parent_id: root.id });
    await from.send(`POST ${admin}/${middle.id}/move`, { as: 'ada', body: { parent_id: young.id, position: -4 } });
    await from.send(`DELETE ${admin}/${middle.id}`, { as: 'ada' });

    const out = join(folder, 'out');
    expect(await runBeside(from, definitions, ['export', '--out', out])).toMatchObject({ exitCode: 0 });
    expect(await runBeside(to, definitions, ['import', 'json', out])).toMatchObject({ exitCode: 0 });

    const all = async (service: TestService) => (await service.send(`GET ${admin}?deleted=with`, { as: 'ada' })).json;
    const imported = await all(to);
    expect(imported).toEqual(await all(from));
    expect(imported.total).toBe(4);
    expect(imported.items.find(({ id }: { id: string }) => id === leaf.id).depth).toBe(3);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
