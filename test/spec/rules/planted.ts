import { anonymous } from '../../../packages/recto/src/base/caller.ts';
import { defaultBudget } from '../../../packages/recto/src/records/answers/answer.ts';
import { checkPayload } from '../../../packages/recto/src/records/checks/payload.ts';
import { applyProtocols, wholeRecord } from '../../../packages/recto/src/records/checks/protocol-values.ts';
import { PlanCache } from '../../../packages/recto/src/records/plans/plan.ts';
import { RecordWriter } from '../../../packages/recto/src/records/write/record-writer.ts';
import type { TestService } from '../../support/service.ts';

/** A record as a test writes it down: its id, what a caller could send, and what else its row is to hold. */
export interface Planted {
  readonly type: string;
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An id that is the same in every database: `planted(7)`. Ids sort as their numbers do. */
export const plantedId = (number: number): string => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/**
 * Stores records under ids of the test's own choice, by the writer that every route uses (search words and relations
 * included). A record comes after those that it points to. Caches know of it as of any other commit.
 */
export async function plant(service: TestService, records: readonly Planted[]): Promise<void> {
  const { database, types, answers } = service;
  const limits = { pageSize: 20, maxPageSize: 100 };
  const writer = new RecordWriter({ database, types, answers, limits, budget: defaultBudget, plans: new PlanCache() });
  await database.transaction(async (transaction) => {
    for (const { type: singular, id, body } of records) {
      const type = types.get(singular);
      const changes = checkPayload(type, body, 'create');
      if (changes.faults.length > 0) throw new Error(`${singular} ${id}: ${JSON.stringify(changes.faults)}`);
      const moment = { type, caller: anonymous, now: '2026-11-21T10:00:00.000Z', id };
      applyProtocols(type, changes, ({ protocol, options }, changed) =>
        protocol.onCreate?.({ ...moment, changed }, options),
      );
      const record = wholeRecord(type, id, changes);
      await writer.insert(transaction, { type, record, changes, authorship: null });
    }
  });
}
