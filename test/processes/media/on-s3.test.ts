import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { S3Server, s3Keys, s3ServerPath } from '../../../packages/recto/src/storage/s3-server.fixture.ts';

const root = join(import.meta.dir, '../../..');

/** The tests of files that run on any storage. On disk, each runs as a file of its own. */
const files = [
  ...['uploads', 'serving', 'resumable', 'variants', 'maintenance', 'library', 'media-field', 'media-inside'],
  ...['busy-images', 'cache-headers'],
].map((name) => `./test/http/media/${name}.test.ts`);

// Needs versitygw, which `.ci/run` builds where Go is installed.
test.skipIf(s3ServerPath === null)(
  'all that is tested with files on disk holds with files on S3',
  async () => {
    await using server = await S3Server.start(s3ServerPath ?? '');
    const tests = [...files, './test/faults/media-crash.test.ts'];
    const run = Bun.spawn([process.execPath, 'test', '--timeout', '600000', ...tests], {
      cwd: root,
      env: {
        ...Bun.env,
        RECTO_TEST_DATABASE: 'sqlite',
        RECTO_TEST_S3: server.url,
        AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [out, err] = await Promise.all([run.stdout.text(), run.stderr.text()]);
    expect(await run.exited, out + err).toBe(0);
    // That they did keep them there.
    expect(readdirSync(join(server.folder, 'recto-tests')).length).toBeGreaterThan(files.length);
  },
  1_200_000,
);
