import type { FirstAdmin } from '../../auth/first-admin.ts';
import type { Allowance } from '../../auth/rate-counters.ts';
import type { Settings } from '../../config/settings.ts';
import type { DefinitionFiles } from '../../definition/definition-folder.ts';
import type { RoleFiles } from '../../definition/roles/role-files.ts';
import type { MetricSnapshot } from '../../http/metrics/metric-snapshot.ts';
import type { ListedTypes } from '../listed-types.ts';

/** What a worker needs to serve: as the supervisor read it once, so that a worker which comes later serves the same. */
export interface Assignment {
  /** With the port that is shared. */
  readonly settings: Settings;
  /** What tokens are signed with. */
  readonly secret: string;
  readonly definitions: DefinitionFiles;
  readonly roles: RoleFiles;
  /** When the service (not this worker) started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** How many workers there are. */
  readonly workers: number;
}

/** What the first worker needs to prepare the database for all. */
export type Preparation = Omit<Assignment, 'secret' | 'definitions' | 'roles'>;

/** What it found, for the other workers. */
export type Prepared = Pick<Assignment, 'secret' | 'definitions' | 'roles'>;

/** What a start prints, once all workers listen. */
export interface Completed {
  readonly types: ListedTypes;
  readonly firstAdmin: FirstAdmin | undefined;
}

/** What a worker asks the supervisor, which alone knows all workers. */
export type Question =
  /** Counts a call; answered as `RateCounters` does. */
  | { readonly about: 'call'; readonly allowance: Allowance; readonly key: string }
  /** Answered with the metrics of all processes, in the Prometheus text format. */
  | { readonly about: 'metrics' }
  /** Answered with the number of workers that serve. */
  | { readonly about: 'workers' };

export type ToWorker =
  /** Sent to one worker before `serve`, which then does what is done once for all workers. Answered with `prepared`. */
  | { readonly kind: 'prepare'; readonly preparation: Preparation }
  /** Sent to the others meanwhile, which read what they can expect to serve. */
  | { readonly kind: 'expect'; readonly settings: Settings }
  | { readonly kind: 'serve'; readonly assignment: Assignment }
  /** Sent to the one that prepared when all listen. Answered with `completed`. */
  | { readonly kind: 'complete' }
  /** Every worker listens, and the database is ready. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'drain' }
  /** Asks for a `snapshot`. */
  | { readonly kind: 'measure' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };

export type ToSupervisor =
  /** The program is loaded; sent first, as messages that come earlier would be lost. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'prepared'; readonly prepared: Prepared }
  | { readonly kind: 'listening' }
  | { readonly kind: 'completed'; readonly completed: Completed }
  /** It cannot serve; the message is for the person who starts the service. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Sent every second: the event loop turns. */
  | { readonly kind: 'beat' }
  | { readonly kind: 'snapshot'; readonly snapshot: MetricSnapshot }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question };
