import type { Executor } from '../../database/database.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { readMemory } from '../storage/stored-schema.ts';
import { storageOf } from '../storage/type-storage.ts';

/** `same`: a plan would have nothing in it; `other`: it would have something; `open`: only a plan can decide. */
export type SchemaComparison = 'same' | 'other' | 'open';

/**
 * Compares, word for word, what the definitions ask for with what the database remembers that its tables were made for. Most
 * starts are of unchanged definitions, or of none that have tables yet, and this takes a fraction of the time of a plan.
 */
export async function compareSchema(executor: Executor, types: ContentTypes): Promise<SchemaComparison> {
  const memory = new Map((await readMemory(executor)).map((row) => [row.type, row]));
  const isRemembered = (type: ContentType): boolean =>
    memory.get(type.singular)?.snapshot === JSON.stringify(storageOf(type));
  if (!types.all.every(isRemembered)) return 'other';
  // It holds what no definition has, of which some may be what a definition says was renamed.
  if (memory.size !== types.all.length || [...memory.values()].some(({ dormant }) => dormant !== '{}')) return 'open';
  return types.all.some((type) => hasFormerName(type, memory)) ? 'open' : 'same';
}

/** Whether a name that the type or a field had before is one of today's. */
const hasFormerName = ({ renamedFrom, fields, field }: ContentType, memory: ReadonlyMap<string, unknown>): boolean =>
  (renamedFrom !== undefined && memory.has(renamedFrom)) ||
  fields.some((named) => named.renamedFrom !== undefined && field.has(named.renamedFrom));
