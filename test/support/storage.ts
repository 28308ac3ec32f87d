import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageLocation } from '../../packages/recto/src/config/setting-type.ts';

/** The address of the S3 server that tests keep their files on: see `test/processes/media/on-s3.test.ts`. */
const server = Bun.env.RECTO_TEST_S3;

export const onS3 = server !== undefined;

/** A place of its own for files: a folder, or where the tests run on S3, a prefix. */
export function testStorage(): StorageLocation {
  const name = crypto.randomUUID();
  if (server === undefined) return { kind: 'file', path: join(tmpdir(), `recto-files-${name}`) };
  const [bucket, region] = ['recto-tests', 'us-east-1'];
  return { kind: 's3', bucket, prefix: `${name}/`, endpoint: server, region, virtualHosted: false };
}

/** The settings of a process that keeps its files in a place of its own; none where that is its data folder. */
export const storageSettings = (): Readonly<Record<string, string>> => (onS3 ? settingsOfStorage(testStorage()) : {});

/** The settings of a process that keeps its files in such a place. */
export function settingsOfStorage(place: StorageLocation): Readonly<Record<string, string>> {
  if (place.kind === 'file') return { RECTO_STORAGE_URL: `file:${place.path}` };
  return {
    RECTO_STORAGE_URL: `s3://${place.bucket}/${place.prefix}?endpoint=${place.endpoint}&region=${place.region}`,
    AWS_ACCESS_KEY_ID: Bun.env.AWS_ACCESS_KEY_ID ?? '',
    AWS_SECRET_ACCESS_KEY: Bun.env.AWS_SECRET_ACCESS_KEY ?? '',
  };
}
