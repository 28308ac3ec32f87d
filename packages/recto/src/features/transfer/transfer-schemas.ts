import Type, { type Static } from 'typebox';
import { recordId } from '../../http/shared-schemas.ts';
import type { Job } from '../../jobs/job.ts';
import { csvPlanSchema } from '../../transfer/csv/csv-plan.ts';
import { keptOf } from '../../transfer/kept/transfer-watch.ts';
import type { TransferRow } from '../../transfer/kept/transfers-table.ts';
import { nullable, timeSchema } from '../accounts/account-schemas.ts';
import { type CheckedCsv, checkedCsv } from './csv-import.ts';

const count = Type.Integer({ minimum: 0 });
const strict = { additionalProperties: false };

const remarkSchema = Type.Object(
  {
    kind: Type.String(),
    text: Type.String(),
    count,
    examples: Type.Array(Type.String(), { description: 'The first few, by their places or ids.' }),
  },
  strict,
);

/** The closing table of an import. */
const reportSchema = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Nothing was stored.' }),
    source: Type.Optional(Type.String({ description: 'The address of a WordPress site.' })),
    counts: Type.Array(
      Type.Object(
        {
          kind: Type.String({ description: 'The plural of a content type, or another kind of entry.' }),
          taken: Type.Integer({ minimum: 0, description: 'Stored, or to be stored.' }),
          before: Type.Integer({ minimum: 0, description: 'There before, and left as they are.' }),
          skipped: count,
          failed: Type.Integer({ minimum: 0, description: 'With errors, and left out.' }),
        },
        strict,
      ),
    ),
    skipped: Type.Array(remarkSchema),
    changed: Type.Array(remarkSchema),
    failures: Type.Array(
      Type.Object(
        {
          kind: Type.String(),
          place: Type.String({ description: 'The file and the line: `posts.ndjson:12`.' }),
          errors: Type.Array(Type.String()),
        },
        strict,
      ),
      { description: 'The first 200; `counts` has how many there are.' },
    ),
    missing_files: Type.Optional(
      Type.Object(
        {
          total: count,
          files: Type.Array(Type.Object({ id: recordId, name: Type.String(), hash: nullable(Type.String()) }, strict), {
            description: 'The first 200.',
          }),
        },
        {
          ...strict,
          description: 'Records of media that are stored, but whose files are not there: they are found by `hash`.',
        },
      ),
    ),
    other_languages: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The languages of a WordPress site that the service does not have, as the site names them.',
      }),
    ),
  },
  { $id: 'ImportReport', ...strict },
);

export const importStates = ['checking', 'checked', 'importing', 'done', 'failed', 'cancelled'] as const;
export const exportStates = ['exporting', 'done', 'failed', 'cancelled'] as const;

const progressSchema = nullable(
  Type.Object(
    {
      phase: Type.String({ description: 'What it does at present.' }),
      done: count,
      total: nullable(count),
    },
    strict,
  ),
);

const common = {
  id: recordId,
  type: nullable(Type.String({ description: 'The singular name of a content type.' })),
  name: Type.String({ description: 'The name of the file.' }),
  size: nullable(Type.Integer({ minimum: 0, description: 'Of the file, in bytes.' })),
  progress: progressSchema,
  error: nullable(Type.String({ description: 'Why it failed.' })),
  job: recordId,
  created_by: Type.String({ description: 'The account or API token.' }),
  created_at: timeSchema,
  expires_at: Type.String({ format: 'date-time', description: 'When it is removed.' }),
} as const;

export const importSchema = Type.Object(
  {
    ...common,
    format: Type.Enum(['wordpress', 'records', 'csv']),
    fetch_files: Type.Boolean({ description: 'The files of the site are fetched from it.' }),
    with_media: Type.Boolean({ description: 'The files of media in the archive are taken.' }),
    state: Type.Enum([...importStates]),
    check: Type.Union([reportSchema, Type.Null()], {
      description: 'What the import would do; null until that is known.',
    }),
    result: Type.Union([reportSchema, Type.Null()], { description: 'What it did; null until it is done.' }),
    plan: Type.Union([csvPlanSchema, Type.Null()], {
      description: 'Of CSV: how the check has read the file; null until that is known.',
    }),
    sample: Type.Union([Type.Array(Type.Array(Type.String())), Type.Null()], {
      description: 'Of CSV: the first rows of the file; null until they are known. Long cells end in `…`.',
    }),
  },
  { $id: 'Import', ...strict },
);

export const exportSchema = Type.Object(
  {
    ...common,
    with_media: Type.Boolean({ description: 'The files of media are in it.' }),
    state: Type.Enum([...exportStates]),
    media: Type.Union(
      [
        Type.Object(
          {
            files: count,
            bytes: count,
            missing: Type.Array(Type.String(), { description: 'Hashes of files that the storage does not have.' }),
            damaged: Type.Array(Type.String(), { description: 'Hashes of files whose bytes are others.' }),
          },
          strict,
        ),
        Type.Null(),
      ],
      { description: 'The files of media in it, once it is done; null without `with_media`.' },
    ),
    files: Type.Array(Type.Object({ type: Type.String(), file: Type.String(), records: count }, strict), {
      description: 'What is in the file, once it is done.',
    }),
  },
  { $id: 'Export', ...strict },
);

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
/** Written by the jobs of this service, by the schemas above. */
const parsed = <T>(text: string | null, none: T): T => (text === null ? none : (JSON.parse(text) as T));

/** A stored report. Those of earlier versions call `dry_run` otherwise. */
function reportOf(text: string | null, dry_run: boolean): Static<typeof reportSchema> | null {
  if (text === null) return null;
  // Written by the jobs of this service, by the schema above.
  const {
    dryRun: _,
    plan: __,
    sample: ___,
    ...report
  } = JSON.parse(text) as Static<typeof reportSchema> & Partial<CheckedCsv> & { readonly dryRun?: boolean };
  return { ...report, dry_run };
}

function commonJson(row: TransferRow, job: Job | undefined) {
  const runs = job?.state === 'queued' || job?.state === 'running';
  const progress = runs ? (job.progress ?? { done: 0, total: null }) : null;
  return {
    ...{ id: row.id, type: row.type, name: row.name, size: row.size, job: row.job, created_by: row.created_by },
    progress: progress && { phase: (job && keptOf(job)?.phase) ?? '', ...progress },
    error: job?.error ?? null,
    ...{ created_at: timeOf(row.created_at), expires_at: timeOf(row.expires_at) },
  };
}

/** How the last job of a transfer ended without a result; undefined while it runs, or where it has one. */
function endOf(job: Job | undefined): 'failed' | 'cancelled' | undefined {
  if (job === undefined) return 'failed';
  return job.state === 'failed' || job.state === 'cancelled' ? job.state : undefined;
}

export function importJson(row: TransferRow, job: Job | undefined): Static<typeof importSchema> {
  return {
    ...commonJson(row, job),
    ...{ format: row.format, fetch_files: row.format === 'wordpress' && row.fetches === 1 },
    with_media: row.format === 'records' && row.fetches === 1,
    state: importState(row, job),
    check: reportOf(row.report, true),
    result: reportOf(row.result, false),
    ...{ plan: null, sample: null, ...csvOf(row) },
  };
}

/** Copies, which the schema demands. */
function csvOf(row: TransferRow): Pick<Static<typeof importSchema>, 'plan' | 'sample'> | undefined {
  const checked = checkedCsv(row);
  return checked && { plan: checked.plan, sample: checked.sample.map((cells) => [...cells]) };
}

export function importState(row: TransferRow, job: Job | undefined): (typeof importStates)[number] {
  if (row.result !== null) return 'done';
  if (row.stage === 'check') return row.report === null ? (endOf(job) ?? 'checking') : 'checked';
  return endOf(job) ?? 'importing';
}

export function exportJson(row: TransferRow, job: Job | undefined): Static<typeof exportSchema> {
  return {
    ...commonJson(row, job),
    with_media: row.fetches === 1,
    state: row.result === null ? (endOf(job) ?? 'exporting') : 'done',
    media: null,
    ...parsed<Pick<Static<typeof exportSchema>, 'files'> & Partial<Pick<Static<typeof exportSchema>, 'media'>>>(
      row.result,
      { files: [] },
    ),
  };
}
