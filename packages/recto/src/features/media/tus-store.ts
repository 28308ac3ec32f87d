import type { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import type { Caller } from '../../base/caller.ts';
import { Problem } from '../../base/problem.ts';
import { type ResumableUploads, type UploadState, uploadLifeMs } from '../../media/resumable-uploads.ts';
import { tusExtensions } from './tus-protocol.ts';

/** What the protocol's server asks of a store, for the requests of one caller. */
export class TusStore extends DataStore {
  /** What a method rejected with: the protocol's server knows no problems. */
  failure: Problem | undefined;
  readonly #uploads: ResumableUploads;
  readonly #caller: Caller;

  constructor(uploads: ResumableUploads, caller: Caller) {
    super();
    this.extensions = tusExtensions;
    this.#uploads = uploads;
    this.#caller = caller;
  }

  override create(upload: Upload): Promise<Upload> {
    return this.#noting(async () => {
      upload.id = await this.#uploads.create(this.#caller, upload.size ?? 0, upload.metadata ?? {});
      upload.creation_date = new Date().toISOString();
      return upload;
    });
  }

  override write(bytes: Readable, id: string, offset: number): Promise<number> {
    return this.#noting(() => this.#uploads.append(id, offset, bytes));
  }

  override getUpload(id: string): Promise<Upload> {
    return this.#noting(async () => uploadOf(await this.#uploads.find(this.#caller, id)));
  }

  override remove(id: string): Promise<void> {
    return this.#noting(async () => {
      await this.#uploads.find(this.#caller, id);
      await this.#uploads.remove(id);
    });
  }

  /** A job removes them. */
  override async deleteExpired(): Promise<number> {
    return 0;
  }

  override getExpiration(): number {
    return uploadLifeMs;
  }

  async #noting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.failure = error;
      throw Object.assign(new Error(error.message), { status_code: error.status, body: error.message });
    }
  }
}

const uploadOf = ({ id, size, offset, metadata, createdAt }: UploadState): Upload =>
  new Upload({ id, size, offset, metadata: { ...metadata }, creation_date: new Date(createdAt).toISOString() });
