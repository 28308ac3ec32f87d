import { defineEngineTable, type EngineColumn, plainInteger, plainText } from '../database/engine/engine-table.ts';
import type { JobState } from './job.ts';

/** Times are milliseconds since 1970. `payload`, `progress`, `checkpoint` and `result` are JSON. */
export interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly state: JobState;
  readonly key: string | null;
  readonly payload: string;
  readonly priority: number;
  readonly run_at: number;
  /** Of a running job with a key that was asked for again meanwhile. */
  readonly again_at: number | null;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly owner: string | null;
  readonly heartbeat_at: number | null;
  readonly progress: string | null;
  readonly checkpoint: string | null;
  readonly result: string | null;
  readonly error: string | null;
  readonly created_by: string | null;
  readonly tenant_id: string | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
}

const time = { kind: 'integer', type: 'bigint' } as const satisfies EngineColumn;
const timeOrNull = { ...time, nullable: true } as const;
const textOrNull = { ...plainText, nullable: true } as const;

/** All background work of the installation. */
export const jobsTable = defineEngineTable<JobRow>({
  name: 'recto_jobs',
  key: ['id'],
  columns: {
    id: plainText,
    kind: plainText,
    state: plainText,
    key: { ...textOrNull, unique: true },
    payload: plainText,
    priority: plainInteger,
    run_at: time,
    again_at: timeOrNull,
    attempts: plainInteger,
    max_attempts: plainInteger,
    owner: textOrNull,
    heartbeat_at: timeOrNull,
    progress: textOrNull,
    checkpoint: textOrNull,
    result: textOrNull,
    error: textOrNull,
    created_by: textOrNull,
    tenant_id: textOrNull,
    created_at: time,
    started_at: timeOrNull,
    finished_at: timeOrNull,
  },
  indexes: [
    { name: 'recto_jobs$due$index', columns: ['state', 'run_at'] },
    { name: 'recto_jobs$finished$index', columns: ['state', 'finished_at'] },
    { name: 'recto_jobs$created_by$index', columns: ['created_by'] },
  ],
  migrations: [],
});
