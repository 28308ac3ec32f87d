import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseLocation, Settings } from '../../config/settings.ts';
import { type Finding, fail, messageOf, ok, warn } from '../../features/finding.ts';

const mebibyte = 1024 * 1024;
/** SQLite needs space for its log, and sometimes for a full copy. */
const littleSpace = 1024 * mebibyte;
const leastSpace = 64 * mebibyte;

/** The data folder: it must be writable, and it and its folders readable only by their owner. */
export function folderFinding({ dataDir }: Settings): Finding {
  const check = 'data folder';
  const nearest = nearestExisting(resolve(dataDir));
  try {
    if (!statSync(nearest).isDirectory())
      return fail(check, `${nearest} is no folder`, 'Move the file away, or set RECTO_DATA_DIR.');
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return fail(check, messageOf(error), `Give the user that runs the service the right to write to ${nearest}.`);
  }
  if (nearest !== resolve(dataDir)) return ok(check, `${dataDir} is not there yet; the first start creates it`);
  const open = [dataDir, ...foldersIn(dataDir)].filter(othersMayRead);
  if (open.length === 0) return ok(check, dataDir);
  return warn(check, `${open.join(', ')} can be read by other users`, `Run: chmod 700 ${open.join(' ')}`);
}

/** Those directly in the data folder: nobody gets below one that is closed. */
const foldersIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));

/** The files of the data folder that hold secrets. A start fails if others can read `secret`. */
export function fileRightsFinding(settings: Settings, database: DatabaseLocation): Finding {
  const check = 'file rights';
  const secret = join(settings.dataDir, 'secret');
  if (settings.secret === undefined && existsSync(secret) && othersMayRead(secret))
    return fail(check, `${secret} can be read by other users`, `Run: chmod 600 ${secret}`);
  if (database.kind !== 'sqlite') return ok(check, 'the secret is for its owner alone');
  const { path } = database;
  if (existsSync(path) && othersMayRead(path))
    return warn(check, `${path} can be read by other users`, `Run: chmod 600 ${path}`);
  return ok(check, 'the database and the secret are for their owner alone');
}

/** Free space on the disk of the database. */
export function spaceFinding(database: string): Finding {
  const check = 'disk space';
  const { bavail, bsize } = statfsSync(nearestExisting(resolve(dirname(database))));
  const free = bavail * bsize;
  const detail = `${Math.floor(free / mebibyte)} MiB free`;
  const remedy = 'Free some space: without any, the service rejects writes.';
  if (free < leastSpace) return fail(check, detail, remedy);
  const size = existsSync(database) ? statSync(database).size : 0;
  return free < Math.max(littleSpace, size) ? warn(check, detail, remedy) : ok(check, detail);
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Windows has no such bits; what it reports instead means nothing. */
const othersMayRead = (path: string): boolean => process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
