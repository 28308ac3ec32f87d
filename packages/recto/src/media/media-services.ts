import type { Settings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import { openStorage, storageLocation } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { FileStore } from './file-store.ts';
import { MediaSigner } from './media-signer.ts';
import { VariantLeases } from './variant-leases.ts';
import { Variants } from './variants.ts';

/** What files need, whatever the content types are. */
export interface MediaServices {
  readonly storage: Storage;
  readonly store: FileStore;
  readonly variants: Variants;
  readonly signer: MediaSigner;
}

export interface MediaOptions {
  readonly settings: Pick<Settings, 'storageUrl' | 'dataDir'>;
  /** What tokens are signed with. */
  readonly secret: string;
  readonly database: Database;
}

/** Throws a `FatalError` where the storage is not fully configured. Nothing is read or created yet. */
export function openMedia({ settings, secret, database }: MediaOptions): MediaServices {
  const location = storageLocation(settings);
  const storage = openStorage(location);
  // In a bucket, variants take nothing of the disk.
  const requireRoom = location.kind === 'file' ? () => database.requireRoom?.() : undefined;
  return {
    storage,
    store: new FileStore(database.dialect),
    variants: new Variants(storage, new VariantLeases(database), requireRoom),
    signer: new MediaSigner(secret),
  };
}
