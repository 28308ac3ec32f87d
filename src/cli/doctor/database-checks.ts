import { existsSync } from 'node:fs';
import { previewSchema } from '../../database/schema/sync-schema.ts';
import { inspectSqliteFile } from '../../database/sqlite/sqlite-copy.ts';
import { sqliteDialect } from '../../database/sqlite/sqlite-dialect.ts';
import { openSqliteReader } from '../../database/sqlite/sqlite-file.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { type Finding, fail, messageOf, ok, warn } from './finding.ts';

const restoreRemedy = 'Stop the service and restore a backup: recto restore FILE --force';

/** The database file, read whole. Nothing is written to it. */
export function databaseFinding(path: string): Finding {
  const check = 'database';
  if (!existsSync(path)) return ok(check, `${path} is not there yet; the first start makes it`);
  try {
    const faults = inspectSqliteFile(path);
    return faults.length === 0 ? ok(check, `${path} is whole`) : fail(check, faults.join('; '), restoreRemedy);
  } catch (error) {
    return fail(check, `${path} cannot be read: ${messageOf(error)}`, restoreRemedy);
  }
}

/** Whether the definitions fit what is stored; `types` is undefined where the definitions are wrong. */
export async function schemaFinding(path: string, types: ContentTypes | undefined): Promise<Finding> {
  const check = 'schema';
  if (types === undefined) return warn(check, 'not looked at, as the definitions are not right', 'Mend those first.');
  if (!existsSync(path)) return ok(check, 'nothing is stored yet');
  try {
    const { refusals, waiting: forApply, created, changed } = await preview(path, types);
    if (refusals.length > 0)
      return fail(check, refusals.join('; '), 'Change the definitions back, or what is stored: no start loses data.');
    if (forApply.length > 0)
      return fail(check, forApply.join(' '), 'Run: recto migrate plan, and then: recto migrate apply');
    const waiting = [...created, ...changed];
    if (waiting.length === 0) return ok(check, 'the definitions fit what is stored');
    return ok(check, `the next start brings the database up to: ${waiting.join(', ')}`);
  } catch (error) {
    return fail(check, messageOf(error), 'See the finding on the database.');
  }
}

async function preview(path: string, types: ContentTypes) {
  const reader = openSqliteReader({ path, busyTimeoutMs: 10_000 });
  try {
    return await previewSchema(reader, sqliteDialect, types);
  } finally {
    reader.close();
  }
}
