import Type, { type TObject, type TSchema } from 'typebox';
import { type FieldFault, invalid } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { type ReadView, viewFor } from '../../definition/rights/read-view.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation, RequestContext } from '../../http/operation.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { recordId } from '../../http/shared-schemas.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { searchFields } from '../../query/row-query.ts';
import type { BatchAction, BatchActions } from '../../records/batch/batch-action.ts';
import { prepareBatch, TooManyRecords } from '../../records/batch/prepare-batch.ts';
import { mostSteps } from '../../records/batch/several-records.ts';
import type { Records } from '../../records/records.ts';
import { kinds } from '../../values/kinds.ts';
import { jobPath } from '../jobs/job-operations.ts';
import { enqueueBatch } from './batch-job.ts';
import { batchLanguage, batchSelection, writtenBy } from './batch-language.ts';
import { commonProblems, own } from './record-operation.ts';
import { payloadSchema } from './record-schemas.ts';
import { respondToWrite } from './respond-to-write.ts';
import { schemaName } from './schema-name.ts';

/** The address of a type's records for admins, and what can be done to several of them. */
export interface BatchRoute {
  readonly base: string;
  readonly actions: BatchActions;
  /** Runs what is too much for one transaction; absent: that is rejected. The actions are those of `batchActionsOf`. */
  readonly jobs?: Jobs;
}

/**
 * `POST /api/v1/admin/pages/batch`: one action on several records, on all or on none (service specification, sections 4.1
 * and 4.2, of the built-in types).
 */
export function batchOperation(type: ContentType, records: Records, route: BatchRoute): Operation {
  const { base, actions, jobs } = route;
  const names = [...actions.keys()];
  const body = new CheckedBody({
    action: actionSchema(names),
    ids: Type.Optional(Type.Array(Type.String(), bounds(jobs))),
    filter: Type.Optional(Type.String()),
    search: Type.Optional(Type.String()),
    set: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  });
  return {
    id: `batch${schemaName(type)}Records`,
    method: 'POST',
    path: `${base}/batch`,
    tag: type.name,
    summary: `Apply an action to several ${type.plural}`,
    description: `To all of them or, if one cannot be found or changed, to none. The actions are ${names.join(', ')}.${jobs === undefined ? '' : ` More than ${mostSteps} records are changed by a job.`}`,
    security: 'bearer',
    roles: ['admin', 'editor'],
    right: { type: type.singular, action: 'get' },
    once: true,
    ...batchQuery(type),
    body: own(() => documentedBody(type, route)),
    responses: {
      200: { description: 'What was done, and to how many.', schema: doneSchema(names) },
      ...(jobs === undefined ? {} : { 202: { ...acceptedResponse, schema: acceptedSchema(names) } }),
    },
    problems: commonProblems(409, 422),
    async handle(context) {
      const language = batchLanguage({ type, records, caller: context.caller }, context.search);
      const asked = { actions, type, view: viewFor('admin', context.caller, records.types) };
      const sent: SentBatch = await body.read(context, (_, sound) => bodyFaults(sound, asked));
      const action = actions.get(sent.action);
      const faults = bodyFaults({ ...sent }, asked);
      if (action === undefined || faults.length > 0) throw invalid(faults);
      const written = writtenBy(action, language, { type, records, caller: context.caller });
      const request = { type: written.type, caller: written.caller, set: sent.set ?? {} };
      const write = await prepareBatch(written.records, action, request, batchSelection(sent, language));
      const { tag, fallback } = language;
      const job = { ...sent, ...(tag === undefined ? {} : { language: tag }), ...(fallback ? { fallback } : {}) };
      if (jobs !== undefined && (sent.ids?.length ?? 0) > mostSteps) return respondWithJob(context, jobs, type, job);
      try {
        return await respondToWrite(context, written.records, write, (affected) =>
          jsonReply(200, { action: sent.action, affected }),
        );
      } catch (error) {
        if (!(error instanceof TooManyRecords)) throw error;
        if (jobs === undefined) throw invalid([tooManyFault]);
        return respondWithJob(context, jobs, type, job);
      }
    },
  };
}

/** The query string of a batch of a type with localized fields. */
function batchQuery({ languages }: ContentType): Pick<Operation, 'query'> {
  if (languages === undefined) return {};
  const tags = languages.all.map(({ tag }) => tag);
  const description = `The language that is changed, and that \`filter\` and \`search\` read. Default: ${languages.default.tag}.`;
  const language = Type.Unsafe<string>({ type: 'string', enum: tags, description });
  const fallback = Type.Boolean({
    default: false,
    description: 'Whether other languages stand in, in what `filter` and `search` read.',
  });
  return {
    query: own((): TObject => Type.Object({ language: Type.Optional(language), fallback: Type.Optional(fallback) })),
  };
}

function respondWithJob(
  context: RequestContext,
  jobs: Jobs,
  type: ContentType,
  sent: SentBatch & { readonly language?: string; readonly fallback?: boolean },
): Promise<Response> {
  const { action, ids, filter, search, language, fallback, set = {} } = sent;
  // A job is stored as it was asked for.
  const secrets = Object.keys(set).filter((name) => type.field.get(name)?.type.secret === true);
  if (secrets.length > 0) throw invalid(secrets.map(secretFault));
  const request = {
    ...{ action, set: { ...set } },
    ...(ids === undefined ? {} : { ids: [...ids] }),
    ...(filter === undefined ? {} : { filter }),
    ...(search === undefined ? {} : { search }),
    ...(language === undefined ? {} : { language }),
    ...(fallback === undefined ? {} : { fallback }),
  };
  return context.respondInTransaction(
    jobs.runInTransaction,
    (transaction) => enqueueBatch(jobs, transaction, { type, caller: context.caller }, request),
    (job) => jsonReply(202, { action, job }, { Location: jobPath(job) }),
  );
}

const secretFault = (name: string): FieldFault => ({
  field: `set.${name}`,
  code: 'not_in_job',
  message: `Cannot be set for more than ${mostSteps} records at once.`,
});

/** A body that the schema accepts. */
interface SentBatch {
  readonly action: string;
  readonly ids?: readonly string[];
  readonly filter?: string;
  readonly search?: string;
  readonly set?: Readonly<Record<string, unknown>>;
}

/** What is wrong with members that go together. */
function bodyFaults(
  sent: Readonly<Record<string, unknown>>,
  { actions, type, view }: { readonly actions: BatchActions; readonly type: ContentType; readonly view: ReadView },
): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  const [byIds, byFilter] = [sent.ids !== undefined, sent.filter !== undefined];
  if (!byIds && !byFilter) faults.push({ field: 'ids', code: 'required', message: 'Required, unless filter is sent.' });
  if (byIds && byFilter) faults.push({ field: 'filter', code: 'not_allowed', message: 'Not together with ids.' });
  if (typeof sent.search === 'string') faults.push(...searchFaults(sent.search, byFilter, type, view));
  const action: BatchAction | undefined = actions.get(String(sent.action));
  if (action?.takesSet === true && sent.set === undefined) {
    faults.push({ field: 'set', code: 'required', message: `Required by ${sent.action}.` });
  }
  if (action?.takesSet === false && sent.set !== undefined) {
    faults.push({ field: 'set', code: 'not_allowed', message: `Not taken by ${sent.action}.` });
  }
  return faults;
}

function searchFaults(search: string, byFilter: boolean, type: ContentType, view: ReadView): readonly FieldFault[] {
  const fault = (code: string, message: string): FieldFault => ({ field: 'search', code, message });
  if (!byFilter) return [fault('not_allowed', 'Only together with filter.')];
  if (kinds.text.fromText(search) === undefined) return [fault('invalid_text', 'Must be text without NUL characters.')];
  const isSearched = searchFields(type, view).length > 0;
  return isSearched || search === '' ? [] : [fault('not_searchable', 'No field of the type can be searched.')];
}

const tooManyFault: FieldFault = {
  field: 'filter',
  code: 'too_many_records',
  message: `Selects more than ${mostSteps} records.`,
};

const actionSchema = (names: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...names] });

const bounds = (jobs: Jobs | undefined) => ({ minItems: 1, ...(jobs === undefined ? { maxItems: mostSteps } : {}) });

/** What is no id, or an id twice, is reported with the ids of no record: all at once. */
function documentedBody(type: ContentType, { actions, jobs }: BatchRoute) {
  const members: Record<string, TSchema> = {
    action: actionSchema([...actions.keys()]),
    ids: Type.Optional(
      Type.Array(recordId, {
        ...bounds(jobs),
        uniqueItems: true,
        description: 'The records. Not together with `filter`.',
      }),
    ),
    filter: Type.Optional(
      Type.String({ description: 'Selects the records, as `filter` of the admin list does. Instead of `ids`.' }),
    ),
    search: Type.Optional(
      Type.String({
        description: 'With `filter`: only records that have these words, as `search` of the admin list finds them.',
      }),
    ),
  };
  if ([...actions.values()].some(({ takesSet }) => takesSet))
    members.set = Type.Optional(payloadSchema(type, 'update'));
  return Type.Object(members, { additionalProperties: false });
}

const doneSchema = (names: readonly string[]) =>
  Type.Object({ action: actionSchema(names), affected: Type.Integer({ minimum: 0 }) }, { additionalProperties: false });

const acceptedResponse = {
  description: 'A job does it.',
  headers: { Location: { description: 'The job.' } },
} as const;

const acceptedSchema = (names: readonly string[]) =>
  Type.Object({ action: actionSchema(names), job: recordId }, { additionalProperties: false });
