import type { ReadContext } from '../select/read-context.ts';
import type { ChangeLog } from './change-log.ts';
import type { HooksOfType } from './write-hooks.ts';

/** What every write of records works with. */
export interface WriteContext extends ReadContext {
  /** Where changes of records are logged; absent: nowhere. */
  readonly changes?: ChangeLog;
  /** Code of a deployment; absent: none. */
  readonly hooks?: HooksOfType;
}
