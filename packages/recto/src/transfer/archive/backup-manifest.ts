import Type from 'typebox';
import { FatalError } from '../../base/fatal-error.ts';
import { CompiledSchema } from '../../values/compiled-schema.ts';

/** The name of the database in an archive. */
export const databaseEntry = 'recto.db';
/** The last entry of an archive: one without it is not complete. */
export const manifestEntry = 'recto-backup.json';

const manifestSchema = Type.Object({
  /** Of the archive's layout. */
  version: Type.Literal(1),
  files: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  /** Keys of files that the storage did not have. */
  missing: Type.Array(Type.String()),
  /** Keys of files whose bytes were not those that were stored. They are in the archive as they were. */
  damaged: Type.Array(Type.String()),
});

/** What an archive says of itself. */
export type BackupManifest = Type.Static<typeof manifestSchema>;

export const manifestBytes = (manifest: BackupManifest): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`);

/** Throws a `FatalError` for an archive of another layout. */
export function readManifest(text: string): BackupManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (CompiledSchema.of(manifestSchema).faults(value).length === 0) return value as BackupManifest; // True: it was checked right here.
  throw new FatalError(`Its ${manifestEntry} is not one that this version reads.`);
}
