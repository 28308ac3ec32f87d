import Type from 'typebox';
import type { ContentType } from '../../definition/content-type.ts';
import type { Work } from '../../records/record-writer.ts';
import type { Records } from '../../records/records.ts';
import { CheckedBody } from '../auth/checked-body.ts';
import { refusals } from '../cms/record-operation.ts';
import { schemaName } from '../cms/schema-name.ts';
import { doingAll, mostSteps } from '../cms/several-records.ts';
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
    problems: refusals(422),
    async handle(context) {
      const { action, ids } = await body.read(context);
      const change = actions[action] ?? 'delete';
      const works = ids.map(async (id, index) => ({
        field: `ids[${index}]`,
        id,
        work: await workOn(records, { type, id, context }, change),
      }));
      const work = doingAll(records, type, context.caller, await Promise.all(works));
      return records.together(
        type,
        context.answering(work, () => jsonReply(200, { action, affected: ids.length })),
      );
    },
  };
}

function workOn(
  records: Records,
  { type, id, context }: { readonly type: ContentType; readonly id: string; readonly context: RequestContext },
  change: BatchActions[string],
): Promise<Work<unknown>> {
  const request = { type, admin: true, caller: context.caller, search: '', id, ifMatch: null };
  return change === 'delete' ? records.removal(request) : records.change({ ...request, payload: change });
}

const actionSchema = (names: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...names] });

const bounds = { minItems: 1, maxItems: mostSteps };

const doneSchema = (names: readonly string[]) =>
  Type.Object({ action: actionSchema(names), affected: Type.Integer({ minimum: 1 }) }, { additionalProperties: false });
