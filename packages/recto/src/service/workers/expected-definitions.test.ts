import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSettings } from '../../config/settings.ts';
import { typesOf } from '../../content-types/definition-set.ts';
import { readDeployed } from '../definitions.ts';
import { ExpectedDefinitions } from './expected-definitions.ts';
import { plainFiles } from './plain-files.ts';

const program = `export default {
  singular: 'note', plural: 'notes', fields: [{ name: 'title', field_type: 'text', localized: true }],
};`;

test('a worker has the roles and languages of the first one, where definitions are programs too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-expected-'));
  try {
    const [contentTypesDir, rolesDir] = [join(folder, 'types'), join(folder, 'roles')];
    for (const each of [contentTypesDir, rolesDir]) mkdirSync(each);
    writeFileSync(join(contentTypesDir, 'note.ts'), program);
    writeFileSync(join(rolesDir, 'reader.toml'), 'name = "reader"\n[types.note]\nget = true\n');
    const settings = checkSettings({ contentTypesDir, rolesDir, languages: 'en,de' });
    const { files, roles } = await readDeployed(settings);
    if (roles === undefined) throw new Error('A deployment has roles.');
    const expected = new ExpectedDefinitions();
    expected.expect(settings);
    const assignment = { settings, secret: '', startedAt: 0, workers: 2 };
    const deployed = await expected.for({ ...assignment, definitions: plainFiles(files), roles: plainFiles(roles) });
    const types = typesOf(deployed);
    expect(types.ownRoles.all.map(({ name }) => name)).toEqual(['reader']);
    expect(types.get('note').languages?.all.map(({ tag }) => tag)).toEqual(['en', 'de']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
