import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Transaction } from '../../database/database.ts';
import type { OneRecord } from '../plans/one-record.ts';

/**
 * How reads are to show records other than as they are stored now: as they would be once drafts or a release are published. All
 * rules, filters, orders, searches and included records follow from what is changed, because the reads run behind it in one transaction,
 * which is rolled back.
 */
export interface Projection<Records> {
  /** The one record that lists and reads show; what they include is not narrowed. Absent: all records. */
  readonly only?: OneRecord;
  /**
   * Changes what the reads are to see. `records` are those of the transaction, without hooks and without a log. Awaits nothing but them, and may
   * run again. Absent: nothing is changed, and no transaction is begun.
   */
  readonly change?: (transaction: Transaction, records: Records) => MaybePromise<void>;
}
