import type { ContentType } from '../../definition/content-type.ts';
import type { IncludeTree } from '../../query/record-parts.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { type AnswerBudget, tooLarge } from '../answers/answer.ts';
import { type FoundRecord, type Reading, readReferences } from './read-references.ts';
import { type JsonRecord, type Reference, referenceKey, type ShownReferences, withReferences } from './references.ts';

/** How values that are in no row are shown. */
export interface Populating extends Reading, Pick<ShownReferences, 'showsFiles'> {
  readonly include: IncludeTree;
  /** How many records the answer includes already; default: none. */
  readonly included?: number;
}

/**
 * Values of a draft or of an earlier version of a record, which hold ids, as a read of a record would show them: with the included
 * records as the admin routes show them now, within the budget of an answer. A record that the caller does not find is null, and left
 * out of a list.
 */
export async function populate(type: ContentType, values: JsonRecord, populating: Populating): Promise<JsonRecord> {
  const { context, include, showsFiles, included = 0 } = populating;
  const shown: ShownReferences = { types: context.types, include, showsFiles };
  const wanted = new Map<string, { readonly reference: Reference; readonly ids: Set<string> }>();
  withReferences(type, values, shown, (reference, id) => {
    const key = referenceKey(reference);
    const known = wanted.get(key) ?? { reference, ids: new Set<string>() };
    wanted.set(key, known);
    known.ids.add(id);
    return null;
  });
  if (wanted.size === 0) return values;
  const found = new Map<string, ReadonlyMap<string, FoundRecord>>();
  for (const [key, { reference, ids }] of wanted) {
    found.set(key, await readReferences(populating, reference, [...ids]));
  }
  const tally = new Tally(context.budget, included);
  return withReferences(type, values, shown, (reference, id) => {
    const record = found.get(referenceKey(reference))?.get(id);
    if (reference.file !== null) return shownFile(reference.target, reference.file.shows, id, record?.record);
    if (record !== undefined) tally.add(record);
    return record?.record;
  });
}

/** Of a file that the caller does not find, its id alone. */
function shownFile(
  { field }: ContentType,
  shows: readonly string[],
  id: string,
  file: JsonRecord | undefined,
): JsonValue {
  const nothing = (name: string): JsonValue => (field.get(name)?.type.members === undefined ? null : {});
  return Object.fromEntries(shows.map((name) => [name, name === 'id' ? id : (file?.[name] ?? nothing(name))]));
}

/** Holds what is included to the budget: a record counts as often as it is in the answer. */
class Tally {
  readonly #budget: AnswerBudget;
  #included: number;
  #bytes = 0;

  constructor(budget: AnswerBudget, included: number) {
    this.#budget = budget;
    this.#included = included;
  }

  add({ count, bytes }: FoundRecord): void {
    this.#included += count;
    this.#bytes += bytes;
    if (this.#included > this.#budget.included) throw tooLarge('included', this.#budget.included);
    if (this.#bytes > this.#budget.bytes) throw tooLarge('bytes', this.#budget.bytes);
  }
}
