import { sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database } from '../database/database.ts';
import { tableName } from '../definition/type-names.ts';
import type { Storage } from '../storage/storage.ts';
import { framingOf } from './framing.ts';
import { filesPrefix, variantsPrefix } from './storage-keys.ts';
import { cutInKey, cutsOf } from './variant-key.ts';

/**
 * Removes the variants of images that are cut as no record says any more, and that are older than `before` (milliseconds since 1970).
 * One that is asked for again is made again. Resolves with how many there were.
 */
export async function removeOldVariants(
  { database, storage }: { readonly database: Database; readonly storage: Storage },
  before: number,
): Promise<number> {
  let removed = 0;
  let [folder, cuts]: [string, ReadonlySet<string>] = ['', new Set()];
  for await (const { key, changedAt } of storage.list(variantsPrefix)) {
    const cut = cutInKey(key);
    if (cut === '' || changedAt >= before) continue;
    const own = key.slice(0, key.lastIndexOf('/'));
    if (own !== folder)
      [folder, cuts] = [own, await cutsInUse(database, `${filesPrefix}${own.slice(variantsPrefix.length)}`)];
    if (cuts.has(cut)) continue;
    await storage.delete(key);
    removed += 1;
  }
  return removed;
}

/** How records say that the variants of the file with this key are cut. Several records may have the same bytes. */
async function cutsInUse(database: Database, key: string): Promise<ReadonlySet<string>> {
  const { dialect } = database;
  const records = sql`select m.focal_x, m.focal_y, m.crop from ${sql.id(tableName('media'))} as m
    join recto_media_files as f on f.hash = m.hash where f.storage_key = ${key}`;
  const rows = await database.rows<Readonly<Record<'focal_x' | 'focal_y' | 'crop', SqlValue>>>(
    compiledQuery(records, dialect),
  );
  const cuts = rows.flatMap(({ focal_x, focal_y, crop }) =>
    cutsOf(
      framingOf({
        focal_x: dialect.decode('float', focal_x),
        focal_y: dialect.decode('float', focal_y),
        crop: dialect.decode('json', crop),
      }),
    ),
  );
  return new Set(cuts);
}
