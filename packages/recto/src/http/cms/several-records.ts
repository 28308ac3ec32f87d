import type { Caller } from '../../base/caller.ts';
import { type FieldFault, invalid, Problem } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { knownIds } from '../../records/known-ids.ts';
import type { PreparedWrite } from '../../records/prepared-write.ts';
import type { Records } from '../../records/records.ts';

/** The change of one of several records, and where the request names it: `ids[3]`, `items[2].id`. */
export interface Step {
  readonly field: string;
  readonly id: string;
  readonly write: PreparedWrite<unknown>;
}

/** The most records that one request changes: they hold up other writers together. */
export const mostSteps = 1000;

/**
 * Prepares several writes that are made in one transaction, all or none: 422 with every id that is named twice or is no record's. A record that
 * another step has taken along (a reply goes with its comment) is done with.
 */
export function prepareAll(
  records: Records,
  type: ContentType,
  caller: Caller,
  steps: readonly Step[],
): PreparedWrite<void> {
  const doubled = doubledFaults(steps);
  return {
    type,
    async run(transaction) {
      const known = await knownIds(
        transaction,
        records.database.dialect,
        { type, caller },
        steps.map(({ id }) => id),
      );
      const unknown = steps.filter(({ id }) => !known.has(id)).map(({ field }) => unknownFault(field, type));
      if (doubled.length + unknown.length > 0) throw invalid([...unknown, ...doubled]);
      for (const { write } of steps) {
        try {
          await write.run(transaction);
        } catch (error) {
          if (!(error instanceof Problem && error.status === 404)) throw error;
        }
      }
    },
  };
}

function doubledFaults(steps: readonly Step[]): readonly FieldFault[] {
  const first = new Map<string, string>();
  return steps.flatMap(({ field, id }) => {
    const other = first.get(id);
    if (other === undefined) first.set(id, field);
    return other === undefined ? [] : [{ field, code: 'doubled', message: `The same id as ${other}.` }];
  });
}

const unknownFault = (field: string, type: ContentType): FieldFault => ({
  field,
  code: 'unknown_record',
  message: `There is no such ${type.singular}.`,
});
