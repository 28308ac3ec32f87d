import type { S3Location } from '../config/setting-type.ts';
import type { ByteRange, ListedFile, Storage, StoredBytes, StoredFile } from './storage.ts';
import { checkedKey } from './storage.ts';
import { codeOf, storageFull, storageUnavailable } from './storage-problem.ts';

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The least that S3 takes as a part, so that of a file no more than a few of them are in memory. */
const partBytes = 5 * 1024 * 1024;
const partsAtOnce = 2;

/** Files in a bucket of S3, or of a store that speaks its protocol. */
export class S3Storage implements Storage {
  readonly #location: S3Location;
  readonly #client: Bun.S3Client;

  constructor(location: S3Location, keys: S3Keys) {
    const { bucket, region, endpoint } = location;
    this.#location = location;
    this.#client = new Bun.S3Client({
      ...(keys.sessionToken === undefined ? {} : { sessionToken: keys.sessionToken }),
      accessKeyId: keys.accessKeyId,
      secretAccessKey: keys.secretAccessKey,
      bucket,
      ...(region === undefined ? {} : { region }),
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(location.virtualHosted ? { virtualHostedStyle: true } : {}),
    });
  }

  get description(): string {
    const { bucket, prefix, endpoint } = this.#location;
    return `s3://${bucket}/${prefix}${endpoint === undefined ? '' : ` at ${endpoint}`}`;
  }

  /** In parts of some MiB. The client has no way to break an upload off, so that one that fails is completed and removed. */
  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const file = this.#client.file(this.#name(key));
    const writer = file.writer({
      partSize: partBytes,
      queueSize: partsAtOnce,
      retry: 3,
      type: 'application/octet-stream',
    });
    const source = bytes[Symbol.asyncIterator]();
    let size = 0;
    try {
      for (;;) {
        const next = await source.next().catch((cause) => Promise.reject(new SourceFailed(cause)));
        if (next.done === true) break;
        writer.write(next.value);
        size += next.value.length;
        await writer.flush();
      }
      await writer.end();
      return size;
    } catch (error) {
      await Promise.resolve(source.return?.()).catch(() => undefined);
      await Promise.resolve(writer.end()).catch(() => undefined);
      await file.delete().catch(() => undefined);
      throw error instanceof SourceFailed ? error.cause : s3Problem(error);
    }
  }

  get(key: string, range?: ByteRange): StoredBytes {
    const file = this.#client.file(this.#name(key));
    return (range === undefined ? file : file.slice(range.start, range.end)).stream();
  }

  async stat(key: string): Promise<StoredFile | undefined> {
    const file = this.#client.file(this.#name(key));
    try {
      const { size, lastModified } = await file.stat();
      return { size, changedAt: lastModified.getTime() };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw s3Problem(error);
    }
  }

  async delete(key: string): Promise<void> {
    const file = this.#client.file(this.#name(key));
    try {
      await file.delete();
    } catch (error) {
      if (!isMissing(error)) throw s3Problem(error);
    }
  }

  async *list(prefix: string): AsyncGenerator<ListedFile, void, undefined> {
    const own = this.#location.prefix;
    let token: string | undefined;
    do {
      const page = await this.#page(`${own}${prefix}`, token);
      for (const { key, size = 0, lastModified = '' } of page.contents ?? []) {
        yield { key: key.slice(own.length), size, changedAt: Date.parse(lastModified) };
      }
      token = page.isTruncated === true ? page.nextContinuationToken : undefined;
    } while (token !== undefined);
  }

  /** Parts of broken uploads are removed by a rule of the bucket: listing them is no operation of the client. */
  async removeUnfinished(): Promise<number> {
    return 0;
  }

  async #page(prefix: string, continuationToken: string | undefined): Promise<Bun.S3ListObjectsResponse> {
    try {
      return await this.#client.list({ prefix, ...(continuationToken === undefined ? {} : { continuationToken }) });
    } catch (error) {
      throw s3Problem(error);
    }
  }

  #name(key: string): string {
    return `${this.#location.prefix}${checkedKey(key)}`;
  }
}

/** What reading the sent bytes threw. */
class SourceFailed extends Error {
  constructor(cause: unknown) {
    super('The bytes could not be read.', { cause });
  }
}

const missing: ReadonlySet<string | undefined> = new Set(['NoSuchKey', 'NotFound', 'ENOENT']);
const isMissing = (error: unknown): boolean => missing.has(codeOf(error));

const full: ReadonlySet<string | undefined> = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'InsufficientCapacity',
  'EntityTooLarge',
]);

const s3Problem = (error: unknown): unknown =>
  full.has(codeOf(error)) ? storageFull(error) : storageUnavailable(error);
