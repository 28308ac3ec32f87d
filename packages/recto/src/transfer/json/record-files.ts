import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { storedChunks } from '../../storage/storage.ts';
import { isTarBeginning, tarEntries } from '../archive/tar-file.ts';
import { mediaFolder } from '../media/export-files.ts';
import { fileAt, type TransferFile } from '../transfer-file.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { recordFileEnding, typeNamed, typeNames } from './record-file-name.ts';
import type { RecordText } from './record-text.ts';

/** Records of one type as one JSON array. */
const arrayFileEnding = '.json';

/** A file with records of one type. */
export interface RecordFile extends Pick<TransferFile, 'name' | 'bytes'> {
  readonly type: ContentType;
  /** Its records, where these are not JSON. `read` gets the number of bytes of each piece. */
  readonly records?: (read: (bytes: number) => void) => AsyncIterable<RecordText>;
}

/** The files of an import, each read to its end before the next. */
export interface RecordFiles {
  /** In bytes, of all of them. */
  readonly size: number;
  /** `files` takes the files of media on the way; absent: they are passed over. */
  each(files?: FileTaker): Iterable<RecordFile> | AsyncIterable<RecordFile>;
  /** Whether there can be files of media. */
  readonly hasMedia: boolean;
}

/** Takes the files of an import. */
export interface FileTaker {
  /** A file that is named after its hash. */
  take(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** A file whose hash is not known yet. Resolves with it, or with the reason why the file is not taken. */
  add(bytes: AsyncIterable<Uint8Array>): Promise<{ readonly hash: string } | { readonly reason: string }>;
}

/**
 * The files at a path: a folder written by an export, a tar archive of it, or one file of it. `named` is the type (singular or plural)
 * of a single file that is not named after it. Throws a `TransferRefused`.
 */
export async function recordFilesAt(
  path: string,
  named: string | undefined,
  types: ContentTypes,
): Promise<RecordFiles> {
  if (!existsSync(path)) throw new TransferRefused(`There is no file or folder ${path}.`);
  if (!statSync(path).isDirectory()) return recordFilesOf(fileAt(path), named, types);
  if (named !== undefined) throw new TransferRefused('--type goes with a single file.');
  const names = readdirSync(path).filter((name) => name.endsWith(recordFileEnding));
  if (names.length === 0)
    throw new TransferRefused(`The folder ${path} holds no file that ends in ${recordFileEnding}.`);
  const files = names.toSorted().map((name) => {
    const file = fileAt(join(path, name));
    return { ...file, type: requiredType(name, named, types) };
  });
  const media = join(path, mediaFolder);
  const hasMedia = existsSync(media) && statSync(media).isDirectory();
  return {
    size: files.reduce((sum, { size }) => sum + size, 0),
    hasMedia,
    each: (taker) => (taker === undefined || !hasMedia ? files : folderFiles(files, media, taker)),
  };
}

async function* folderFiles(
  files: readonly RecordFile[],
  media: string,
  taker: FileTaker,
): AsyncGenerator<RecordFile, void, undefined> {
  yield* files;
  const names = readdirSync(media, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name } of names) await taker.take(name, storedChunks(Bun.file(join(media, name))));
}

/** The files in one: its own records, or those of the archive that it is. */
export async function recordFilesOf(
  file: TransferFile,
  named: string | undefined,
  types: ContentTypes,
): Promise<RecordFiles> {
  const { name, size } = file;
  if (await isTarBeginning(file.bytes()))
    return { size, hasMedia: true, each: (taker) => archivedFiles(file, types, taker) };
  const one = { ...file, type: requiredType(name, named, types) };
  return { size, hasMedia: false, each: () => [one] };
}

/** The files of records in an archive, in their order; whatever else is in it is passed over. */
async function* archivedFiles(
  file: TransferFile,
  types: ContentTypes,
  taker: FileTaker | undefined,
): AsyncGenerator<RecordFile, void, undefined> {
  let count = 0;
  try {
    for await (const { name: entry, bytes } of tarEntries(file.bytes())) {
      const name = basename(entry);
      if (basename(dirname(entry)) === mediaFolder) {
        if (taker === undefined) await bytes.cancel();
        else {
          await taker.take(name, storedChunks(bytes));
          // What has not been read is passed over; what has been cannot be.
          await bytes.cancel().catch(() => undefined);
        }
      } else if (name.endsWith(recordFileEnding)) {
        count += 1;
        // Read by the consumer, whose errors do not come through this `try`.
        yield { name, type: requiredType(name, undefined, types), bytes: () => entryBytes(file, bytes) };
      } else await bytes.cancel();
    }
  } catch (error) {
    throw archiveProblem(file, error);
  }
  if (count === 0) throw new TransferRefused(`${file.name} holds no file that ends in ${recordFileEnding}.`);
}

async function* entryBytes(
  archive: TransferFile,
  bytes: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* storedChunks(bytes);
  } catch (error) {
    throw archiveProblem(archive, error);
  }
}

/** A damaged archive is refused with its reason; any other error stays as it is. */
const archiveProblem = ({ name }: TransferFile, error: unknown): unknown =>
  error instanceof TransferRefused || !isDamage(error)
    ? error
    : new TransferRefused(`${name} is a damaged archive: ${error.message}`, error);

/** What the reader of archives throws is a plain error; anything else has a class or a code. */
const isDamage = (error: unknown): error is Error =>
  error instanceof Error && error.constructor === Error && !('code' in error);

function requiredType(name: string, named: string | undefined, types: ContentTypes): ContentType {
  const ending = [recordFileEnding, arrayFileEnding].find((one) => name.endsWith(one)) ?? '';
  const typeName = named ?? basename(name, ending);
  const type = typeNamed(types, typeName);
  if (type !== undefined) return type;
  throw new TransferRefused(
    `${name}: there is no content type “${typeName}”. There are: ${typeNames(types)}; --type names that of a single file.`,
  );
}
