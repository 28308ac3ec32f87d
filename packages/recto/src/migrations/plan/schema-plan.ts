import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import {
  knownFields,
  type RememberedType,
  readStoredSchema,
  type StoredSchema,
  withTargets,
} from '../storage/stored-schema.ts';
import { storageOf } from '../storage/type-storage.ts';
import { formerSlugSteps } from './former-slug-steps.ts';
import { linkSteps } from './link-steps.ts';
import { noteSteps } from './note-steps.ts';
import { planRenames, type TypeRenames } from './rename-plan.ts';
import { revisionSteps } from './revision-steps.ts';
import type { SchemaNote } from './schema-note.ts';
import { type SchemaStep, type StepParts, schemaSteps } from './schema-steps.ts';
import { StoredFacts } from './stored-facts.ts';
import { planType, type TypePlan } from './type-plan.ts';
import {
  planUnused,
  removedType,
  type Unused,
  type UnusedDrops,
  type UnusedPlan,
  unusedParts,
  withoutReferences,
} from './unused-plan.ts';

/** All that the definitions ask of the database. */
export interface SchemaPlan {
  readonly notes: readonly SchemaNote[];
  /** In the order in which they run, in one transaction; none is run where a note is `refused`. */
  readonly steps: readonly SchemaStep[];
  readonly types: readonly TypePlan[];
  /** Names whose records the steps touch. */
  readonly touched: readonly string[];
  /** What the database holds and no definition has, but for what is dropped. */
  readonly unused: readonly Unused[];
}

export const noDrops: UnusedDrops = { all: false, names: [] };

/**
 * Compares the definitions with what is remembered and stored. For reading alone. `among` are the singular names of the types
 * that are looked at; absent: all.
 */
export async function planSchema(
  executor: Executor,
  dialect: Dialect,
  types: ContentTypes,
  drops: UnusedDrops = noDrops,
  among?: ReadonlySet<string>,
): Promise<SchemaPlan> {
  const stored = await readStoredSchema(executor);
  const facts = new StoredFacts(executor, dialect);
  const chosen =
    among === undefined ? types : { ...types, all: types.all.filter(({ singular }) => among.has(singular)) };
  const renames = await planRenames(chosen, stored, facts);
  const parts = unusedParts(types, stored, renames);
  const unused = await planUnused(parts, drops, { types, stored, facts });
  const removed = new Set([...renames.emptied, ...unused.removed]);
  const plans: TypePlan[] = [];
  const around = {
    types,
    facts,
    dialect,
    removed,
    drops: (type: string, field: string) => unused.fields.get(type)?.has(field) === true,
  };
  for (const type of chosen.all) {
    const remembered = rememberedOf(type, stored, renames);
    if (remembered === undefined || isOutdated(type, remembered, { renames, removed, unused }))
      plans.push(await planType(type, remembered, around));
  }
  const memory = memoryAfter(stored, plans, renames, removed);
  const dropped = droppedTypes(stored, types, removed, renames);
  const followed = [revisionSteps, linkSteps, formerSlugSteps, noteSteps].flatMap((steps) =>
    steps(plans, renames, removed, dialect),
  );
  return {
    notes: [...renames.notes, ...plans.flatMap(({ notes }) => notes), ...unused.notes],
    steps: schemaSteps({ plans, dropped, memory, followed }, dialect),
    types: plans,
    touched: [...memory.keys()],
    unused: parts.filter(({ type, field }) =>
      field === undefined ? !unused.removed.has(type) : !around.drops(type, field),
    ),
  };
}

/** What the database remembers of a type, if need be under its former name, with the names that other types have now. */
function rememberedOf(type: ContentType, stored: StoredSchema, renames: TypeRenames): RememberedType | undefined {
  const remembered = stored.get(renames.former.get(type.singular) ?? type.singular);
  return remembered && withTargets(remembered, renames.later);
}

/** Whether the definition asks for something else than what the tables were last made for. */
function isOutdated(
  type: ContentType,
  remembered: RememberedType,
  { renames, removed, unused }: { renames: TypeRenames; removed: ReadonlySet<string>; unused: UnusedPlan },
): boolean {
  const { singular, fields } = type;
  if (renames.former.has(singular) || unused.fields.has(singular)) return true;
  if (JSON.stringify(storageOf(type)) !== JSON.stringify(remembered.storage)) return true;
  const known = knownFields(remembered);
  return (
    fields.some(({ renamedFrom }) => renamedFrom !== undefined && Object.hasOwn(known, renamedFrom)) ||
    withoutReferences(remembered, removed).drops.length > 0
  );
}

/** Everything whose stored description changes. */
function memoryAfter(
  stored: StoredSchema,
  plans: readonly TypePlan[],
  renames: TypeRenames,
  removed: ReadonlySet<string>,
): StepParts['memory'] {
  const memory = new Map<string, RememberedType | null>();
  for (const [singular, remembered] of stored) {
    if (removed.has(singular) || renames.later.has(singular)) memory.set(singular, null);
    else {
      const { kept } = withoutReferences(withTargets(remembered, renames.later), removed);
      if (!Bun.deepEquals(kept, remembered)) memory.set(singular, kept);
    }
  }
  for (const plan of plans) {
    const { singular } = plan.type;
    // A key that is taken out and set again comes last: a type is forgotten before another takes its name.
    memory.delete(singular);
    memory.set(singular, plan.remembered);
  }
  return memory;
}

/** The tables of types that go, and what types that are not defined have that refers to them. */
function droppedTypes(
  stored: StoredSchema,
  types: ContentTypes,
  removed: ReadonlySet<string>,
  renames: TypeRenames,
): StepParts['dropped'] {
  const whole = [...stored].filter(([name]) => removed.has(name)).map(([, remembered]) => removedType(remembered));
  const others = [...stored].filter(
    ([name]) => !removed.has(name) && !renames.later.has(name) && types.find(name) === undefined,
  );
  return {
    references: [
      ...whole.flatMap(({ references }) => references),
      ...others.flatMap(([, remembered]) => withoutReferences(remembered, removed).drops),
    ],
    tables: whole.flatMap(({ tables }) => tables),
  };
}
