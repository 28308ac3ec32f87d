import { expect, test } from 'bun:test';
import { join } from 'node:path';
import manifest from '../../package.json';
import { RectoFolder, RectoProcess } from '../support/processes/recto-process.ts';

test('the command of `npm start` serves the magazine, hooks and routes included, with several workers', async () => {
  using folder = new RectoFolder();
  const [, ...words] = manifest.scripts.start.split(' ');
  const service = new RectoProcess([process.execPath, ...words], join(import.meta.dir, '../..'), {
    RECTO_DATA_DIR: folder.path,
    RECTO_WORKERS: '2',
  });
  try {
    const url = await service.url();
    const answer = await fetch(`${url}/api/v1/cms/articles`);
    expect([answer.status, await answer.json()]).toMatchObject([200, { items: [] }]);
  } finally {
    service.kill('SIGTERM');
  }
  expect((await service.ended()).exitCode).toBe(0);
}, 600_000);
