import Type from 'typebox';
import type { Settings } from '../../config/setting-table.ts';
import { settingSources } from '../../config/setting-table.ts';
import { settingsInForce } from '../../config/settings-in-force.ts';
import type { Database } from '../../database/database.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { Operation } from '../../http/operation.ts';
import { json } from '../../http/responses/json-response.ts';
import { jobStates } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { nullable, timeSchema } from '../accounts/account-schemas.ts';
import { checkSchema, overallStatus, serviceStatusSchema } from '../health/health-operations.ts';
import type { HealthState } from '../health/health-state.ts';
import { mailState } from './mail-state.ts';

const common = { tag: 'service', security: 'bearer', roles: ['admin'], installation: true } as const;
const noStore = { 'Cache-Control': 'no-store' };

const settingSchema = Type.Object(
  {
    name: Type.String({ description: 'The environment variable: `RECTO_PORT`.' }),
    file_name: Type.String({ description: 'Its name in `recto.toml`.' }),
    value: nullable(
      Type.String({
        description:
          'As it was written, or the default in words; an address without its user, password and query. Null for a secret, and for none.',
      }),
    ),
    source: Type.Enum([...settingSources], { description: '`program`: passed to `createRecto`.' }),
    secret: Type.Boolean({ description: 'The value is never shown.' }),
    set: Type.Boolean({ description: 'It was given, so its value is not the default.' }),
    default: nullable(Type.String({ description: 'The default in words; null for none.' })),
    accepts: Type.String({ description: 'What it takes, in words.' }),
    description: Type.String(),
  },
  { $id: 'Setting', additionalProperties: false },
);

const settingsSchema = Type.Object(
  { items: Type.Array(settingSchema) },
  { $id: 'SettingList', additionalProperties: false },
);

const count = Type.Integer({ minimum: 0 });

const systemSchema = Type.Object(
  {
    status: serviceStatusSchema,
    version: Type.String({ description: 'Of Recto.' }),
    runtime: Type.String({ description: 'The JavaScript runtime and its version.' }),
    platform: Type.String({ description: 'The operating system and the processor.' }),
    started_at: timeSchema,
    workers: Type.Integer({ minimum: 1, description: 'Processes that serve together on this machine.' }),
    database: Type.Object(
      { kind: Type.Enum(['sqlite', 'postgres']), version: Type.String() },
      { additionalProperties: false },
    ),
    storage: Type.Enum(['file', 's3'], { description: 'Where the files of media are.' }),
    mail: nullable(
      Type.Object(
        {
          to: Type.String({
            description: 'Where mails go: `log:`, `file:FOLDER`, or the mail server without user and password.',
          }),
          from: Type.String({ description: 'Whom mails are from.' }),
          url: Type.String({ description: 'The origin that links in mails begin with.' }),
        },
        { additionalProperties: false, description: 'Null: the service sends no mail.' },
      ),
    ),
    content_types: count,
    jobs: Type.Object(Object.fromEntries(jobStates.map((state) => [state, count])), {
      additionalProperties: false,
      description: 'Background jobs that are kept, by state.',
    }),
    checks: checkSchema,
  },
  { $id: 'System', additionalProperties: false },
);

export interface SystemParts {
  readonly settings: Settings;
  readonly health: HealthState;
  readonly workers: number;
  readonly types: ContentTypes;
  readonly jobs: Jobs;
  readonly database: Database;
}

/** The installation, for its admins: read only. */
export const systemOperations = (parts: SystemParts): readonly Operation[] => [
  {
    ...common,
    id: 'listSettings',
    method: 'GET',
    path: '/api/v1/admin/settings',
    summary: 'List the settings in force',
    description: 'All settings and where each comes from. Values of secrets are never part of it.',
    responses: { 200: { description: 'All settings.', schema: settingsSchema } },
    problems: [],
    handle: () => json(200, { items: settingsInForce(parts.settings) }, noStore),
  },
  {
    ...common,
    id: 'getSystem',
    method: 'GET',
    path: '/api/v1/admin/system',
    summary: 'Get versions and state of the installation',
    description: 'Responds with 200 also while a check fails: `status` says so.',
    responses: { 200: { description: 'Versions, state and counts.', schema: systemSchema } },
    problems: [503],
    handle: async () => {
      const { health, workers, types, jobs, settings, database } = parts;
      const [{ status, checks }, counts, version] = await Promise.all([
        overallStatus(health),
        jobs.store.counts(),
        database.first<{ readonly version: string }>(database.dialect.version),
      ]);
      const body = {
        ...{ status, version: health.version, runtime: `Bun ${Bun.version}` },
        platform: `${process.platform} ${process.arch}`,
        started_at: new Date(health.startedAt).toISOString(),
        workers,
        database: { kind: database.dialect.name, version: version?.version ?? '' },
        storage: settings.storageUrl?.kind ?? 'file',
        mail: mailState(settings),
        content_types: types.all.length,
        jobs: Object.fromEntries(jobStates.map((state) => [state, counts.get(state) ?? 0])),
        checks,
      };
      return json(200, body, noStore);
    },
  },
];
