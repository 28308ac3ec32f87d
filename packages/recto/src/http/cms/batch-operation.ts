import Type, { type TSchema } from 'typebox';
import { type FieldFault, invalid } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { BatchAction, BatchActions } from '../../records/batch/batch-action.ts';
import { readAdminFilter } from '../../records/batch/matching-ids.ts';
import { type BatchSelection, prepareBatch, TooManyRecords } from '../../records/batch/prepare-batch.ts';
import { mostSteps } from '../../records/batch/several-records.ts';
import type { Records } from '../../records/records.ts';
import { CheckedBody } from '../auth/checked-body.ts';
import type { Operation } from '../operation.ts';
import { jsonReply } from '../reply.ts';
import { recordId } from '../shared-schemas.ts';
import { commonProblems, own } from './record-operation.ts';
import { payloadSchema } from './record-schemas.ts';
import { respondToWrite } from './respond-to-write.ts';
import { schemaName } from './schema-name.ts';

/** The address of a type's records for admins, and what can be done to several of them. */
export interface BatchRoute {
  readonly base: string;
  readonly actions: BatchActions;
}

/**
 * `POST /api/v1/admin/pages/batch`: one action on several records, on all or on none (service specification, sections 4.1
 * and 4.2, of the built-in types).
 */
export function batchOperation(type: ContentType, records: Records, { base, actions }: BatchRoute): Operation {
  const names = [...actions.keys()];
  const body = new CheckedBody({
    action: actionSchema(names),
    ids: Type.Optional(Type.Array(Type.String(), bounds)),
    filter: Type.Optional(Type.String()),
    set: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  });
  return {
    id: `batch${schemaName(type)}Records`,
    method: 'POST',
    path: `${base}/batch`,
    tag: type.name,
    summary: `Apply an action to several ${type.plural}`,
    description: `To all of them or, if one cannot be found or changed, to none. The actions are ${names.join(', ')}.`,
    security: 'bearer',
    roles: ['admin', 'editor'],
    once: true,
    body: own(() => documentedBody(type, actions)),
    responses: { 200: { description: 'What was done, and to how many.', schema: doneSchema(names) } },
    problems: commonProblems(409, 422),
    async handle(context) {
      const sent: SentBatch = await body.read(context, (_, sound) => bodyFaults(sound, actions));
      const action = actions.get(sent.action);
      const faults = bodyFaults({ ...sent }, actions);
      if (action === undefined || faults.length > 0) throw invalid(faults);
      const request = { type, caller: context.caller, set: sent.set ?? {} };
      const write = await prepareBatch(records, action, request, selectionOf(sent, type, records));
      try {
        return await respondToWrite(context, records, write, (affected) =>
          jsonReply(200, { action: sent.action, affected }),
        );
      } catch (error) {
        throw error instanceof TooManyRecords ? invalid([tooManyFault]) : error;
      }
    },
  };
}

/** A body that the schema accepts. */
interface SentBatch {
  readonly action: string;
  readonly ids?: readonly string[];
  readonly filter?: string;
  readonly set?: Readonly<Record<string, unknown>>;
}

function selectionOf({ ids, filter = '' }: SentBatch, type: ContentType, records: Records): BatchSelection {
  if (ids !== undefined) return { by: 'ids', ids };
  return { by: 'filter', expression: readAdminFilter(filter, type, records) };
}

/** What is wrong with members that go together. */
function bodyFaults(sent: Readonly<Record<string, unknown>>, actions: BatchActions): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  const [byIds, byFilter] = [sent.ids !== undefined, sent.filter !== undefined];
  if (!byIds && !byFilter) faults.push({ field: 'ids', code: 'required', message: 'Required, unless filter is sent.' });
  if (byIds && byFilter) faults.push({ field: 'filter', code: 'not_allowed', message: 'Not together with ids.' });
  const action: BatchAction | undefined = actions.get(String(sent.action));
  if (action?.takesSet === true && sent.set === undefined) {
    faults.push({ field: 'set', code: 'required', message: `Required by ${sent.action}.` });
  }
  if (action?.takesSet === false && sent.set !== undefined) {
    faults.push({ field: 'set', code: 'not_allowed', message: `Not taken by ${sent.action}.` });
  }
  return faults;
}

const tooManyFault: FieldFault = {
  field: 'filter',
  code: 'too_many_records',
  message: `Selects more than ${mostSteps} records.`,
};

const actionSchema = (names: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...names] });

const bounds = { minItems: 1, maxItems: mostSteps };

/** What is no id, or an id twice, is reported with the ids of no record: all at once. */
function documentedBody(type: ContentType, actions: BatchActions) {
  const members: Record<string, TSchema> = {
    action: actionSchema([...actions.keys()]),
    ids: Type.Optional(
      Type.Array(recordId, { ...bounds, uniqueItems: true, description: 'The records. Not together with `filter`.' }),
    ),
    filter: Type.Optional(
      Type.String({ description: 'Selects the records, as `filter` of the admin list does. Instead of `ids`.' }),
    ),
  };
  if ([...actions.values()].some(({ takesSet }) => takesSet))
    members.set = Type.Optional(payloadSchema(type, 'update'));
  return Type.Object(members, { additionalProperties: false });
}

const doneSchema = (names: readonly string[]) =>
  Type.Object({ action: actionSchema(names), affected: Type.Integer({ minimum: 0 }) }, { additionalProperties: false });
