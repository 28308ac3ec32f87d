import { sql } from 'kysely';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Executor, Query } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type DormantLanguages, retargetedColumns } from './languages-storage.ts';
import { type SchemaRow, schemaTable } from './schema-table.ts';
import { retargetedStructure } from './stored-structure.ts';
import type { FieldStorage, FieldStorages, TypeStorage } from './type-storage.ts';

/** What the database remembers of a type. */
export interface RememberedType {
  readonly storage: TypeStorage;
  /** Fields that the definition had once; their values are still there. */
  readonly dormant: FieldStorages;
  /** Values in other languages of fields that were localized once; absent: there are none. */
  readonly dormantLanguages?: DormantLanguages;
}

/** What the tables were last made for, by the types' singular names. Types that are no longer defined are among them. */
export type StoredSchema = ReadonlyMap<string, RememberedType>;

const readQuery: Query = {
  sql: `SELECT type, snapshot, dormant FROM ${schemaTable.name} ORDER BY type`,
  parameters: [],
};

export const readMemory = (executor: Executor): MaybePromise<readonly SchemaRow[]> =>
  executor.rows<SchemaRow>(readQuery);

export async function readStoredSchema(executor: Executor): Promise<StoredSchema> {
  const rows = await readMemory(executor);
  return new Map(
    rows.map(({ type, snapshot, dormant }) => {
      // Both columns only ever get what `rememberType` makes of these types.
      const storage = JSON.parse(snapshot) as TypeStorage;
      const { [languagesKey]: dormantLanguages, ...fields } = JSON.parse(dormant) as FieldStorages & {
        readonly [languagesKey]?: DormantLanguages;
      };
      return [type, { storage, dormant: fields, ...(dormantLanguages === undefined ? {} : { dormantLanguages }) }];
    }),
  );
}

/** Beside the fields that are dormant. No field has a name with a dollar sign. */
const languagesKey = '$languages';

const stored = sql.table(schemaTable.name);

/** Written as it is, and not built: a first start runs it for each type. */
export const rememberType = (
  singular: string,
  { storage, dormant, dormantLanguages }: RememberedType,
  dialect: Dialect,
): Query =>
  compiledQuery(
    sql`insert into ${stored} ("type", "snapshot", "dormant")
      values (${singular}, ${JSON.stringify(storage)}, ${JSON.stringify(dormantLanguages === undefined ? dormant : { ...dormant, [languagesKey]: dormantLanguages })})
      on conflict ("type") do update set "snapshot" = excluded."snapshot", "dormant" = excluded."dormant"`,
    dialect,
  );

export const forgetType = (singular: string, dialect: Dialect): Query =>
  compiledQuery(sql`delete from ${stored} where "type" = ${singular}`, dialect);

/** All that a type has ever had and still holds. */
export const knownFields = ({ storage, dormant }: RememberedType): FieldStorages => ({ ...dormant, ...storage.fields });

/** The same, with relations that lead to where types were renamed to. */
export function withTargets(remembered: RememberedType, renamed: ReadonlyMap<string, string>): RememberedType {
  if (renamed.size === 0) return remembered;
  const { storage, dormant, dormantLanguages } = remembered;
  const { languages } = storage;
  return {
    ...remembered,
    storage: {
      ...storage,
      fields: mapFields(storage.fields, renamed),
      ...(languages && { languages: { ...languages, fields: retargetedColumns(languages.fields, renamed) } }),
    },
    dormant: mapFields(dormant, renamed),
    ...(dormantLanguages && {
      dormantLanguages: { ...dormantLanguages, fields: retargetedColumns(dormantLanguages.fields, renamed) },
    }),
  };
}

const mapFields = (fields: FieldStorages, renamed: ReadonlyMap<string, string>): FieldStorages =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, retargeted(field, renamed)]));

function retargeted(field: FieldStorage, renamed: ReadonlyMap<string, string>): FieldStorage {
  if (field.shape === 'column') {
    const { structure } = field;
    return structure === undefined ? field : { ...field, structure: retargetedStructure(structure, renamed) };
  }
  return { ...field, target: renamed.get(field.target) ?? field.target };
}
