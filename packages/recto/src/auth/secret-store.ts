import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FatalError } from '../base/fatal-error.ts';

/** RFC 7518, section 3.2: a key for HS256 has at least 256 bits. */
const minLength = 32;

/**
 * The secret that signs tokens: RECTO_SECRET where it is set, otherwise the file `secret` in the data folder, created
 * on the first start. Throws `FatalError` for a secret that is too short, or a file that others can read or that cannot be read.
 */
export async function loadSecret(options: {
  readonly configured: string | undefined;
  readonly dataDir: string;
}): Promise<string> {
  if (options.configured !== undefined) {
    if ([...options.configured].length < minLength)
      throw new FatalError(`RECTO_SECRET must have at least ${minLength} characters.`);
    return options.configured;
  }
  const path = join(options.dataDir, 'secret');
  try {
    return (await readSecret(path)) ?? (await makeSecret(options.dataDir, path));
  } catch (error) {
    if (error instanceof FatalError) throw error;
    throw new FatalError(`The secret file ${path} cannot be read or created: ${messageOf(error)}`, error);
  }
}

/** The file's secret; undefined when there is no file. */
async function readSecret(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(ignoring('ENOENT'));
  if (found === undefined) return undefined;
  // Windows has no such bits; the values it returns mean nothing.
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new FatalError(
      `The secret file ${path} can be read by other users: run "chmod 600 ${path}", or set RECTO_SECRET.`,
    );
  const secret = (await readFile(path, 'utf8')).trim();
  if (secret.length < minLength)
    throw new FatalError(
      `The secret file ${path} holds fewer than ${minLength} characters: restore it, or remove it to get a new one (which signs everyone out).`,
    );
  return secret;
}

/** Writes a new secret under a temporary name and links it into place: the first process wins, and nobody sees a partial file. */
async function makeSecret(folder: string, path: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.secret-${randomUUID()}`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${randomBytes(48).toString('base64url')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path).catch(ignoring('EEXIST'));
  } finally {
    await rm(draft, { force: true });
  }
  const secret = await readSecret(path);
  if (secret === undefined) throw new Error('the file vanished again');
  return secret;
}

const ignoring =
  (code: string) =>
  (error: unknown): undefined => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
