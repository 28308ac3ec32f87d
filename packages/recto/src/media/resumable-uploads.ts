import { type Caller, callerId } from '../base/caller.ts';
import { newId } from '../base/ids.ts';
import { conflict, notFound, Problem } from '../base/problem.ts';
import type { Database } from '../database/database.ts';
import { readStored, type Storage } from '../storage/storage.ts';
import type { UploadRow } from './media-tables.ts';
import type { MediaWriter } from './media-writer.ts';
import { newPieceKey, piecesPrefix } from './storage-keys.ts';
import type { UploadStore } from './upload-store.ts';

/** How long an upload can be resumed. */
export const uploadLifeMs = 24 * 60 * 60 * 1000;

/** So much is stored at a time: what a crash in between loses at most. */
const pieceBytes = 4 * 1024 * 1024;

/** What one account can have begun and not completed: uploads, and their bytes as multiples of the maximum file size. */
export const unfinishedLimits = { uploads: 100, files: 8 } as const;

export interface UploadState {
  readonly id: string;
  readonly size: number;
  readonly offset: number;
  readonly metadata: Readonly<Record<string, string | null>>;
  readonly createdAt: number;
  /** The record, once all has arrived. */
  readonly media: string | null;
}

export interface ResumableParts {
  readonly database: Database;
  readonly storage: Storage;
  readonly uploads: UploadStore;
  readonly writer: MediaWriter;
}

/**
 * Uploads that can be resumed after a break, by any process or machine: what has arrived is stored in pieces, each a file of
 * the storage with a row. When all has arrived, the pieces are stored as one file, as those of any upload.
 */
export class ResumableUploads {
  readonly #parts: ResumableParts;

  constructor(parts: ResumableParts) {
    this.#parts = parts;
  }

  /** 409 where the caller has too much that is not complete: its bytes take space before they are a record. */
  async create(caller: Caller, size: number, metadata: UploadState['metadata']): Promise<string> {
    const { database, uploads, writer } = this.#parts;
    const mostBytes = unfinishedLimits.files * writer.limits.maxBytes;
    const [id, now] = [newId(), Date.now()];
    const row: UploadRow = {
      id,
      owner: ownerOf(caller),
      size,
      metadata: JSON.stringify(metadata),
      media: null,
      created_at: now,
      expires_at: now + uploadLifeMs,
    };
    await database.transaction(async (transaction) => {
      const { count, bytes } = await uploads.unfinished(transaction, row.owner);
      if (count >= unfinishedLimits.uploads || bytes + size > mostBytes) throw tooManyUploads(mostBytes);
      await uploads.insert(transaction, row);
    });
    return id;
  }

  /** 404 for an upload that the caller did not begin. */
  async find(caller: Caller, id: string): Promise<UploadState> {
    const { database, uploads } = this.#parts;
    const row = await uploads.find(database, id);
    if (row === undefined || row.owner !== ownerOf(caller)) throw notFound('There is no such upload.');
    const last = row.media === null ? (await uploads.parts(database, id)).at(-1) : undefined;
    return {
      id,
      size: row.size,
      offset: row.media === null ? (last === undefined ? 0 : last.start + last.size) : row.size,
      // True because it was written from such an object.
      metadata: JSON.parse(row.metadata) as UploadState['metadata'],
      createdAt: row.created_at,
      media: row.media,
    };
  }

  /** Stores what arrives from an offset on, also where it breaks off. Resolves with the new offset. */
  async append(id: string, offset: number, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const piece = new Uint8Array(pieceBytes);
    let at = offset;
    let size = 0;
    const store = async (): Promise<void> => {
      if (size === 0) return;
      await this.#storePiece(id, at, piece.subarray(0, size));
      at += size;
      size = 0;
    };
    const take = async (chunk: Uint8Array): Promise<void> => {
      for (let start = 0; start < chunk.length; ) {
        const taken = chunk.subarray(start, start + pieceBytes - size);
        piece.set(taken, size);
        size += taken.length;
        start += taken.length;
        if (size === pieceBytes) await store();
      }
    };
    try {
      for await (const chunk of bytes) await take(chunk);
      await store();
      return at;
    } catch (error) {
      // The client is gone; what came until then need not be sent again.
      if (!(error instanceof Problem)) await store();
      throw error;
    }
  }

  /**
   * Creates the record of an upload that has arrived. Resolves with its id, also where it was created before. An upload that can
   * become no record, whoever tries again, is removed.
   */
  async finish(caller: Caller, state: UploadState): Promise<string> {
    if (state.media !== null) return state.media;
    try {
      return await this.#createRecord(caller, state);
    } catch (error) {
      if (error instanceof Problem && hopeless.has(error.status)) await this.remove(state.id);
      throw error;
    }
  }

  async #createRecord(caller: Caller, state: UploadState): Promise<string> {
    const { storage, database, uploads, writer } = this.#parts;
    const pieces = await uploads.parts(database, state.id);
    const all = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      for (const { storage_key } of pieces) yield* readStored(storage, storage_key);
    };
    const file = await writer.ingest(all());
    const request = { caller, admin: false };
    const created = await writer.create(request, file, payloadOf(state.metadata), async (transaction, { id }) => {
      if (!(await uploads.complete(transaction, state.id, id))) {
        throw conflict('upload_complete', 'The upload has been completed by another request.');
      }
      await uploads.removeParts(transaction, state.id);
    });
    await this.#removePieces(state.id);
    return created.id;
  }

  async remove(id: string): Promise<void> {
    const { database, uploads } = this.#parts;
    await database.transaction((transaction) => uploads.remove(transaction, id));
    await this.#removePieces(id);
  }

  /** Removes uploads that were not completed in time. */
  async removeExpired(now: number, signal: AbortSignal): Promise<void> {
    const { database, uploads } = this.#parts;
    for (;;) {
      const ids = await uploads.expired(database, now, 100);
      for (const id of ids) {
        if (signal.aborted) return;
        await this.remove(id);
      }
      if (ids.length < 100) return;
    }
  }

  async #storePiece(upload: string, start: number, bytes: Uint8Array): Promise<void> {
    const { storage, database, uploads } = this.#parts;
    const key = newPieceKey(upload);
    const size = await storage.put(key, once(bytes));
    const added = await database.transaction((transaction) =>
      uploads.addPart(transaction, { upload, start, size, storage_key: key }),
    );
    if (added) return;
    await storage.delete(key);
    throw conflict('upload_conflict', 'Another request has sent these bytes of the upload.');
  }

  async #removePieces(id: string): Promise<void> {
    const { storage } = this.#parts;
    for await (const { key } of storage.list(`${piecesPrefix}${id}/`)) await storage.delete(key);
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}

const tooManyUploads = (mostBytes: number): Problem =>
  conflict(
    'too_many_uploads',
    `At most ${unfinishedLimits.uploads} uploads of ${mostBytes} bytes in total can be unfinished: complete or delete one first.`,
  );

/** The bytes and fields of an upload do not change: too large, of a type that is not allowed, or not valid. */
const hopeless: ReadonlySet<number> = new Set([413, 415, 422]);

const ownerOf = (caller: Caller): string => `${caller.kind}:${callerId(caller) ?? ''}`;

/** The fields of the record that clients can name in `Upload-Metadata`; `filename` and `filetype` are what clients commonly send. */
function payloadOf(metadata: UploadState['metadata']): Readonly<Record<string, unknown>> {
  const { filename, name, alt, caption, folder, visibility } = metadata;
  const sent = { name: name ?? filename, alt, caption, folder, visibility };
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined && value !== null));
}
