import type { ContentTypes } from '../../definition/content-type.ts';
import type { StoredSchema } from '../storage/stored-schema.ts';
import { counted, type SchemaNote } from './schema-note.ts';
import type { StoredFacts } from './stored-facts.ts';

/** Which types have another name than the database knows them by. All names are singular. */
export interface TypeRenames {
  /** The name that the database knows, by the one that is defined. */
  readonly former: ReadonlyMap<string, string>;
  /** The other way round. */
  readonly later: ReadonlyMap<string, string>;
  /** Defined types whose own tables hold nothing and make room for those of the former name. */
  readonly emptied: ReadonlySet<string>;
  readonly notes: readonly SchemaNote[];
}

/** What comes of `renamed_from` at the head of definitions. It does nothing where the database has no such type. */
export async function planRenames(types: ContentTypes, stored: StoredSchema, facts: StoredFacts): Promise<TypeRenames> {
  const former = new Map<string, string>();
  const emptied = new Set<string>();
  const notes: SchemaNote[] = [];
  for (const { singular, source, renamedFrom } of types.all) {
    const before = renamedFrom === undefined ? undefined : stored.get(renamedFrom);
    if (renamedFrom === undefined || before === undefined) continue;
    const records = await recordsOf(before.storage.table, facts);
    const own = stored.get(singular);
    if (own !== undefined) {
      if (records === 0) continue;
      const ownRecords = await recordsOf(own.storage.table, facts);
      if (ownRecords > 0) {
        const what = `is renamed from "${renamedFrom}", but both hold records (${ownRecords} and ${records})`;
        const remedy = 'leave renamed_from out, or delete the records of one of the two first';
        notes.push({ way: 'refused', type: singular, source, what, remedy });
        continue;
      }
      emptied.add(singular);
    }
    former.set(singular, renamedFrom);
    const what = `is renamed from "${renamedFrom}", with its ${counted(records, 'record')}`;
    notes.push({ way: 'apply', type: singular, source, what });
  }
  return { former, later: new Map([...former].map(([is, was]) => [was, is])), emptied, notes };
}

const recordsOf = async (table: string, facts: StoredFacts): Promise<number> =>
  (await facts.columns(table)).size === 0 ? 0 : facts.records(table);
