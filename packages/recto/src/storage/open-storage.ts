import { join } from 'node:path';
import { FatalError } from '../base/fatal-error.ts';
import type { StorageLocation } from '../config/setting-type.ts';
import type { Settings } from '../config/settings.ts';
import { DiskStorage } from './disk-storage.ts';
import { type S3Keys, S3Storage } from './s3-storage.ts';
import type { Storage } from './storage.ts';

/** Where files are kept: by default in the data folder. */
export const storageLocation = ({ storageUrl, dataDir }: Pick<Settings, 'storageUrl' | 'dataDir'>): StorageLocation =>
  storageUrl ?? { kind: 'file', path: join(dataDir, 'media') };

/** A storage as messages name it; its keys need not be known. */
export const storageName = (location: StorageLocation): string =>
  location.kind === 'file' ? location.path : `s3://${[location.bucket, location.prefix].filter(Boolean).join('/')}`;

/** Opens the storage at a location. Nothing is read or created yet. Throws a `FatalError` for S3 without keys. */
export function openStorage(
  location: StorageLocation,
  environment: Readonly<Record<string, string | undefined>> = Bun.env,
): Storage {
  switch (location.kind) {
    case 'file':
      return new DiskStorage(location.path);
    case 's3':
      return new S3Storage(location, keysOf(environment));
  }
}

function keysOf(environment: Readonly<Record<string, string | undefined>>): S3Keys {
  const accessKeyId = environment.S3_ACCESS_KEY_ID ?? environment.AWS_ACCESS_KEY_ID;
  const secretAccessKey = environment.S3_SECRET_ACCESS_KEY ?? environment.AWS_SECRET_ACCESS_KEY;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new FatalError(
      'RECTO_STORAGE_URL names a bucket, but there are no keys for it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
  return { accessKeyId, secretAccessKey, sessionToken: environment.S3_SESSION_TOKEN ?? environment.AWS_SESSION_TOKEN };
}
