import { defineEngineTable, plainInteger, plainText } from '../database/engine/engine-table.ts';

const bigInteger = { kind: 'integer', type: 'bigint' } as const;

/** The bytes that are stored, once for each content, whatever the number of records that have them. */
export interface FileRow {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** Where they are in the storage. */
  readonly storage_key: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly created_at: number;
}

export const filesTable = defineEngineTable<FileRow>({
  name: 'recto_media_files',
  key: ['hash'],
  columns: { hash: plainText, storage_key: plainText, size: bigInteger, created_at: bigInteger },
  migrations: [],
});

/** Files that neither a record nor an account has, until they are removed from the storage. */
export interface TrashRow {
  readonly storage_key: string;
  readonly created_at: number;
}

export const trashTable = defineEngineTable<TrashRow>({
  name: 'recto_media_trash',
  key: ['storage_key'],
  columns: { storage_key: plainText, created_at: bigInteger },
  migrations: [],
});

/** Uploads that can be resumed. */
export interface UploadRow {
  readonly id: string;
  /** The caller who began it, and alone goes on with it. */
  readonly owner: string;
  readonly size: number;
  /** `Upload-Metadata` as JSON. */
  readonly metadata: string;
  /** The record that was created when all had arrived. */
  readonly media: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

export const uploadsTable = defineEngineTable<UploadRow>({
  name: 'recto_media_uploads',
  key: ['id'],
  columns: {
    id: plainText,
    owner: plainText,
    size: bigInteger,
    metadata: plainText,
    media: { ...plainText, nullable: true },
    created_at: bigInteger,
    expires_at: bigInteger,
  },
  indexes: [{ name: 'recto_media_uploads$expires_at$index', columns: ['expires_at'] }],
  copy: false,
  migrations: [],
});

/** What has arrived of an upload, in pieces that are stored. */
export interface UploadPartRow {
  readonly upload: string;
  readonly start: number;
  readonly size: number;
  readonly storage_key: string;
}

export const uploadPartsTable = defineEngineTable<UploadPartRow>({
  name: 'recto_media_upload_parts',
  key: ['upload', 'start'],
  columns: { upload: plainText, start: bigInteger, size: plainInteger, storage_key: plainText },
  copy: false,
  migrations: [],
});

/** The variants that a process is making. */
export interface VariantWorkRow {
  readonly storage_key: string;
  /** Milliseconds since 1970. */
  readonly expires_at: number;
}

export const variantWorkTable = defineEngineTable<VariantWorkRow>({
  name: 'recto_media_variant_work',
  key: ['storage_key'],
  columns: { storage_key: plainText, expires_at: bigInteger },
  copy: false,
  migrations: [],
});

/** The pictures of accounts: each has at most one. */
export interface PictureRow {
  readonly account: string;
  /** Of the stored file, which others may have as well. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly created_at: number;
}

export const picturesTable = defineEngineTable<PictureRow>({
  name: 'recto_account_pictures',
  key: ['account'],
  columns: { account: plainText, hash: plainText, created_at: bigInteger },
  indexes: [{ name: 'recto_account_pictures$hash$index', columns: ['hash'] }],
  migrations: [],
});

export const mediaTables = [filesTable, trashTable, picturesTable, uploadsTable, uploadPartsTable, variantWorkTable];
