import type { ContentTypes } from '../../definition/content-type.ts';
import type { Executor } from '../database.ts';
import { readMemory } from './stored-schema.ts';
import { storageOf } from './type-storage.ts';

/**
 * Whether what the definitions ask for is, word for word, what the database remembers that its tables were made for, so that a
 * plan would have nothing in it. False where only a plan can tell, as where it holds what no definition has. Most starts are
 * of unchanged definitions, and this takes a fraction of the time of a plan.
 */
export async function isUnchanged(executor: Executor, types: ContentTypes): Promise<boolean> {
  const memory = new Map((await readMemory(executor)).map((row) => [row.type, row]));
  if (memory.size !== types.all.length) return false;
  return types.all.every((type) => {
    const remembered = memory.get(type.singular);
    if (remembered === undefined || remembered.dormant !== '{}') return false;
    if (type.renamedFrom !== undefined && memory.has(type.renamedFrom)) return false;
    // The table still has the column of the name before.
    if (type.fields.some(({ renamedFrom }) => renamedFrom !== undefined && type.field.has(renamedFrom))) return false;
    return remembered.snapshot === JSON.stringify(storageOf(type));
  });
}
