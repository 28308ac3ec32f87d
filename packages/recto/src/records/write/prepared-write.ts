import type { TransactionWork } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';

/** A change that has passed every check that needs nothing stored. `Records.runInTransaction` does the rest. */
export interface PreparedWrite<T> {
  /** The type whose table it writes to. */
  readonly type: ContentType;
  /** Other types whose tables it writes to as well. */
  readonly besides?: readonly ContentType[];
  /** Through which view it is sent: errors name the fields that it shows. Absent: they may name all. */
  readonly view?: ReadView;
  /**
   * The part that runs in the transaction, with the checks that need what is stored. It may run more than once, so it changes
   * nothing but the database.
   */
  readonly run: TransactionWork<T>;
}
