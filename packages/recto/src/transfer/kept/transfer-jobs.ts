import Type, { type Static } from 'typebox';
import { type AuthenticatedCaller, type Caller, isAuthenticated } from '../../base/caller.ts';
import type { JobType } from '../../jobs/job-kind.ts';
import { csvPlanSchema } from '../csv/csv-plan.ts';

const payload = Type.Object({
  /** The id of the row. */
  transfer: Type.String(),
  stage: Type.Enum(['check', 'import', 'export']),
  /** Of the check of a file of CSV: how it is read; absent: that is found out. */
  plan: Type.Optional(csvPlanSchema),
  /** Of the import of a WordPress site: leaves out what is in languages that the service does not have. */
  skipOtherLanguages: Type.Optional(Type.Boolean()),
  caller: Type.Object({
    kind: Type.Enum(['account', 'api_token'] satisfies AuthenticatedCaller['kind'][]),
    id: Type.String(),
    tenant: Type.Optional(Type.String()),
    /** The request that asked for it. */
    request: Type.Optional(Type.String()),
  }),
});

/** The work of an import or export that a request asked for. */
export type TransferJob = Static<typeof payload>;

export const importJobType: JobType<typeof payload> = { name: 'transfer.import', payload };
export const exportJobType: JobType<typeof payload> = { name: 'transfer.export', payload };

/** Who asked, as a job keeps it. */
export function principalOf(caller: Caller): TransferJob['caller'] {
  if (!isAuthenticated(caller)) throw new Error('A transfer was asked for by nobody.');
  const { kind, id, tenant, request } = caller;
  return { kind, id, ...(tenant === undefined ? {} : { tenant }), ...(request === undefined ? {} : { request }) };
}
