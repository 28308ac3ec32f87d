import { createDecipheriv, scryptSync } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { TransferRefused } from '../transfer-refused.ts';

const gzip = [0x1f, 0x8b] as const;
/** Where a tar archive says what it is. */
const tarMark = { text: 'ustar', start: 257, end: 262 } as const;

/** What an archive may unpack to: so much in any case, or so often its size. */
const mostUnpacked = { bytes: 256 * 1024 * 1024, times: 200 } as const;

/** The bytes of the tar archive in a file, which may be packed with gzip and encrypted. `key`: that of the encryption. */
export async function* tarBytes(path: string, key: string | undefined): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes: AsyncIterable<Uint8Array> = createReadStream(path);
  let begin: Uint8Array = new Uint8Array(await Bun.file(path).slice(0, tarMark.end).arrayBuffer());
  if (!isGzip(begin) && !isTar(begin)) {
    if (key === undefined)
      throw new TransferRefused(`${path} is no export of Strapi, or is encrypted: then give its key with --key-stdin.`);
    bytes = decrypted(bytes, key, path);
    begin = await firstOf(decrypted(createReadStream(path, { end: 1023 }), key, path));
    if (!isGzip(begin) && !isTar(begin)) throw new TransferRefused(`${path} cannot be read with this key.`);
  }
  const unpacked = isGzip(begin) ? gunzipped(bytes, path) : bytes;
  const most = Math.max(mostUnpacked.bytes, statSync(path).size * mostUnpacked.times);
  let total = 0;
  for await (const chunk of unpacked) {
    total += chunk.byteLength;
    if (total > most) throw new TransferRefused(`${path} unpacks to more than ${mostUnpacked.times} times its size.`);
    yield chunk;
  }
}

const isGzip = (begin: Uint8Array): boolean => gzip.every((byte, index) => begin[index] === byte);
const isTar = (begin: Uint8Array): boolean =>
  Buffer.from(begin).toString('latin1', tarMark.start, tarMark.end) === tarMark.text;

async function firstOf(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of bytes) chunks.push(chunk);
  } catch {
    // Of a part, the end is always wrong.
  }
  return Buffer.concat(chunks);
}

/** Strapi encrypts with AES-128 in blocks of their own, by a key that scrypt makes without salt. */
async function* decrypted(bytes: AsyncIterable<Uint8Array>, key: string, path: string) {
  const decipher = createDecipheriv('aes-128-ecb', scryptSync(key, '', 16), null);
  for await (const chunk of bytes) yield decipher.update(chunk);
  try {
    yield decipher.final();
  } catch (error) {
    throw new TransferRefused(`${path} is cut off, or encrypted with another key.`, error);
  }
}

async function* gunzipped(bytes: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const from = Readable.from(bytes);
  const to = createGunzip();
  // `pipe` passes no errors on.
  from.on('error', (error) => to.destroy(error));
  try {
    for await (const chunk of from.pipe(to)) yield chunk;
  } catch (error) {
    if (error instanceof TransferRefused) throw error;
    throw new TransferRefused(`${path} is damaged: ${Object(error).message}.`, error);
  } finally {
    from.destroy();
    to.destroy();
  }
}
