import type { ContentType } from '../../definition/content-type.ts';
import type { ChangedValues } from '../../definition/protocol.ts';
import { cleanFileName } from '../../media/file-name.ts';
import type { FileStore } from '../../media/file-store.ts';
import type { IngestLimits } from '../../media/ingest-file.ts';
import type { Storage } from '../../storage/storage.ts';
import type { RecordStaging } from './record-staging.ts';

/** Where the files of media are. */
export interface ImportStorage {
  readonly storage: Storage;
  readonly store: FileStore;
  /** The files of the import are taken within these limits; absent: they are passed over. */
  readonly taken?: IngestLimits;
}

export const isMedia = ({ singular, builtIn }: Pick<ContentType, 'singular' | 'builtIn'>): boolean =>
  singular === 'media' && builtIn;

/** A record of media as it is staged. Its name becomes part of addresses, so it is kept as that of an upload is. */
export const mediaBody = (body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof body.name === 'string' ? { ...body, name: cleanFileName(body.name) } : body;

/** What is known from the bytes of a record's file; nothing where these are missing. */
export function factsOf(staging: RecordStaging, type: ContentType, body: Body): ChangedValues {
  return isMedia(type) && typeof body.hash === 'string' ? (staging.facts(body.hash) ?? {}) : {};
}

type Body = Readonly<Record<string, unknown>>;
