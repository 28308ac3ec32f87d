import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getBytes, quarters, uploadRaw } from '../../http/media/media-calls.ts';
import { onPostgres } from '../../support/database/database.ts';
import { runCommand } from '../../support/processes/run-command.ts';
import { TestService } from '../../support/service.ts';
import { settingsOfStorage, testStorage } from '../../support/storage.ts';

test.skipIf(onPostgres)('a database is copied without its files, which the copy finds where they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-media-copy-'));
  const storage = testStorage();
  try {
    await using service = await TestService.open([], { builtIn: true, storage });
    await service.account('ada', 'admin');
    const image = await quarters(40, 30);
    const { json } = await uploadRaw(service, image, { as: 'ada', name: 'a.png' });
    const keys = await service.storedKeys();
    const path = join(folder, 'copy.db');
    const command = ['copy', '--from', `sqlite:${service.database.path}`, '--to', `sqlite:${path}`];
    expect(await runCommand(command)).toMatchObject({ exitCode: 0 });
    expect(await service.storedKeys()).toEqual(keys);

    const database = { location: { kind: 'sqlite', path } } as const;
    await using copy = await TestService.open([], { builtIn: true, storage, database });
    expect((await getBytes(copy, json.url)).bytes).toEqual(image);
    const environment = { RECTO_DATABASE_URL: `sqlite:${path}`, ...settingsOfStorage(storage) };
    const { out } = await runCommand(['media', 'verify', '--json'], { environment });
    expect(JSON.parse(out)).toMatchObject({ ok: true, files: 1, faults: [] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
