import type { FirstAdmin } from '../auth/first-admin.ts';
import { version } from '../base/version.ts';
import type { ListedTypes } from './listed-types.ts';

/** A service that listens, in one process or several. */
export interface RunningService {
  /** `http://127.0.0.1:9898`. */
  readonly url: string;
  /** As of the start. */
  readonly types: ListedTypes;
  /** The first admin, if this start created it. */
  readonly firstAdmin: FirstAdmin | undefined;
  /** Is not ready from now on; takes no new requests, finishes what runs, closes the database. Takes `stopTimeoutSecs` and a second at most. */
  stop(): Promise<void>;
}

/** What a start logs. */
export const startedFields = (url: string, types: ListedTypes): object => ({
  url,
  version,
  types: types.own.length,
  // It counts from the start of the process, so that loading the program is part of it.
  duration_ms: Math.round(performance.now()),
});
