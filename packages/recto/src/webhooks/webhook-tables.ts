import {
  defineEngineTable,
  type EngineColumn,
  type EngineMigration,
  plainInteger,
  plainText,
} from '../database/engine/engine-table.ts';
import type { DeliveryState } from './webhook.ts';

/** Times are milliseconds since 1970; `types` and `actions` are JSON; flags are 0 or 1. */
export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly types: string;
  readonly actions: string;
  readonly filter: string | null;
  readonly description: string;
  readonly enabled: number;
  readonly disabled_reason: string | null;
  readonly include_private: number;
  /** Null counts as 0. */
  readonly releases: number | null;
  /** JSON; null counts as empty. */
  readonly languages: string | null;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until: number | null;
  /** The number of the last event that it does not get. */
  readonly since: number;
  readonly created_by: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface DeliveryRow {
  readonly id: string;
  readonly webhook: string;
  readonly seq: number;
  readonly type: string;
  readonly record: string;
  readonly state: DeliveryState;
  readonly body: string;
  readonly attempts: number;
  readonly next_at: number | null;
  readonly last_at: number | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly last_ms: number | null;
  readonly created_at: number;
  readonly ended_at: number | null;
}

const time = { kind: 'integer', type: 'bigint' } as const satisfies EngineColumn;
const timeOrNull = { ...time, nullable: true } as const;
const textOrNull = { ...plainText, nullable: true } as const;
const integerOrNull = { ...plainInteger, nullable: true } as const;

/** Before there were releases, nobody asked for them. */
const addReleases: EngineMigration = {
  number: 13,
  additive: true,
  up: async (change) => {
    if (!(await change.hasColumn('releases'))) await change.addColumn('releases');
  },
};

/** Before there were languages, nobody asked for some of them. */
const addLanguages: EngineMigration = {
  number: 14,
  additive: true,
  up: async (change) => {
    if (!(await change.hasColumn('languages'))) await change.addColumn('languages');
  },
};

export const webhookTables = [
  defineEngineTable<WebhookRow>({
    name: 'recto_webhooks',
    key: ['id'],
    columns: {
      id: plainText,
      url: plainText,
      types: plainText,
      actions: plainText,
      filter: textOrNull,
      description: plainText,
      enabled: plainInteger,
      disabled_reason: textOrNull,
      include_private: plainInteger,
      releases: integerOrNull,
      languages: textOrNull,
      secret: plainText,
      previous_secret: textOrNull,
      previous_until: timeOrNull,
      since: time,
      created_by: textOrNull,
      created_at: time,
      updated_at: time,
    },
    migrations: [addReleases, addLanguages],
  }),
  defineEngineTable<DeliveryRow>({
    name: 'recto_webhook_deliveries',
    key: ['id'],
    columns: {
      id: plainText,
      webhook: plainText,
      seq: time,
      type: plainText,
      record: plainText,
      state: plainText,
      body: plainText,
      attempts: plainInteger,
      next_at: timeOrNull,
      last_at: timeOrNull,
      last_status: integerOrNull,
      last_error: textOrNull,
      last_ms: integerOrNull,
      created_at: time,
      ended_at: timeOrNull,
    },
    indexes: [
      { name: 'recto_webhook_deliveries$due$index', columns: ['webhook', 'state', 'next_at'] },
      { name: 'recto_webhook_deliveries$order$index', columns: ['webhook', 'state', 'record', 'seq'] },
      { name: 'recto_webhook_deliveries$listed$index', columns: ['webhook', 'created_at'] },
      { name: 'recto_webhook_deliveries$ended$index', columns: ['state', 'ended_at'] },
    ],
    migrations: [],
  }),
] as const;
