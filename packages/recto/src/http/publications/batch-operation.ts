import Type from 'typebox';
import type { ContentType } from '../../definition/content-type.ts';
import type { PreparedWrite } from '../../records/prepared-write.ts';
import type { Records } from '../../records/records.ts';
import { CheckedBody } from '../auth/checked-body.ts';
import { commonProblems } from '../cms/record-operation.ts';
import { respondToWrite } from '../cms/respond-to-write.ts';
import { schemaName } from '../cms/schema-name.ts';
import { mostSteps, prepareAll } from '../cms/several-records.ts';
import type { Operation, RequestContext } from '../operation.ts';
import { jsonReply } from '../reply.ts';
import { recordId } from '../shared-schemas.ts';

/** What an action does to each record: sets fields, or deletes it. */
export type BatchActions = Readonly<Record<string, Readonly<Record<string, string>> | 'delete'>>;

/** `POST /api/v1/admin/pages/batch` (service specification, sections 4.1 and 4.2): one action on several records, on all or on none. */
export function batchOperation(type: ContentType, records: Records, actions: BatchActions): Operation {
  const names = Object.keys(actions);
  const body = new CheckedBody(
    { action: actionSchema(names), ids: Type.Array(Type.String(), bounds) },
    // What is no id, or an id twice, is reported with the ids of no record: all at once.
    { ids: Type.Array(recordId, { ...bounds, uniqueItems: true }) },
  );
  return {
    id: `batch${schemaName(type)}Records`,
    method: 'POST',
    path: `/api/v1/admin/${type.plural}/batch`,
    tag: type.name,
    summary: `Apply an action to several ${type.plural}`,
    description: `To all of them or, if one cannot be found, to none. The actions are ${names.join(', ')}.`,
    security: 'bearer',
    roles: ['admin', 'editor'],
    once: true,
    body: body.declaration,
    responses: { 200: { description: 'What was done, and to how many.', schema: doneSchema(names) } },
    problems: commonProblems(422),
    async handle(context) {
      const { action, ids } = await body.read(context);
      const change = actions[action] ?? 'delete';
      const steps = ids.map(async (id, index) => ({
        field: `ids[${index}]`,
        id,
        write: await prepareOne(records, { type, id, context }, change),
      }));
      const write = prepareAll(records, type, context.caller, await Promise.all(steps));
      return respondToWrite(context, records, write, () => jsonReply(200, { action, affected: ids.length }));
    },
  };
}

function prepareOne(
  records: Records,
  { type, id, context }: { readonly type: ContentType; readonly id: string; readonly context: RequestContext },
  change: BatchActions[string],
): Promise<PreparedWrite<unknown>> {
  const request = { type, admin: true, caller: context.caller, search: '', id, ifMatch: null };
  return change === 'delete' ? records.prepareDelete(request) : records.prepareUpdate({ ...request, payload: change });
}

const actionSchema = (names: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...names] });

const bounds = { minItems: 1, maxItems: mostSteps };

const doneSchema = (names: readonly string[]) =>
  Type.Object({ action: actionSchema(names), affected: Type.Integer({ minimum: 1 }) }, { additionalProperties: false });
