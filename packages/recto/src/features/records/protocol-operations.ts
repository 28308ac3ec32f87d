import type { ContentType } from '../../definition/content-type.ts';
import type { RecordAction } from '../../definition/protocol.ts';
import type { Operation } from '../../http/operation.ts';
import { idParams } from '../../http/shared-schemas.ts';
import { requirePlacing } from '../../records/checks/role-rights.ts';
import type { Records } from '../../records/records.ts';
import type { UpdateRecordRequest } from '../../records/write/write-request.ts';
import { draftOperations } from './draft-operations.ts';
import { commonProblems, ifMatch, ifMatchHeader, jsonResponse, taggedHeaders } from './record-operation.ts';
import { removedReply, writeReply } from './record-response.ts';
import { recordSchema } from './record-schemas.ts';
import { reorderOperation } from './reorder-operation.ts';
import { respondToWrite } from './respond-to-write.ts';
import { revisionOperations } from './revision-operations.ts';
import { schemaName } from './schema-name.ts';
import { walkOperations } from './walk-operations.ts';

/** The admin routes that a type's protocols add, such as `POST /api/v1/admin/cms/{plural}/{id}/restore`. */
export function protocolOperations(type: ContentType, records: Records): readonly Operation[] {
  const actions = type.protocols.flatMap(({ protocol, options }) => protocol.actions?.(options) ?? []);
  const orders = new Set(type.protocols.flatMap(({ protocol, options }) => protocol.placeColumn?.(options) ?? []));
  const base = `/api/v1/admin/cms/${type.plural}`;
  return [
    ...actions.map((action) => actionOperation(type, records, action)),
    ...walkOperations(type, records),
    ...draftOperations(type, records, `${base}/{id}`),
    ...revisionOperations(type, records, `${base}/{id}`),
    ...[...orders].slice(0, 1).map((column) => reorderOperation(type, records, { base, column })),
  ];
}

function actionOperation(type: ContentType, records: Records, action: RecordAction): Operation {
  const { name, method, summary, effect, input, places } = action;
  const request = { type, admin: true, search: '', among: new Map(Object.entries(action.among ?? {})) } as const;
  const shared = {
    id: `${name}${schemaName(type)}Record`,
    method,
    path: `/api/v1/admin/cms/${type.plural}/{id}/${name}`,
    tag: type.name,
    summary: `${summary} (${type.name})`,
    security: 'bearer',
    roles: ['admin', 'editor'],
    right: { type: type.singular, action: effect === 'remove' ? 'delete' : 'update' },
    params: idParams,
    headers: ifMatchHeader,
    ...(method === 'POST' ? { once: true } : {}),
    problems: input === undefined ? commonProblems(404, 409) : commonProblems(404, 409, 422),
    ...(input === undefined ? {} : { body: { schema: input, validation: 'schema' } }),
  } as const satisfies Partial<Operation>;
  if (effect === 'remove') {
    return {
      ...shared,
      stepUp: 'sessions',
      responses: { 204: { description: 'The record is gone.' } },
      async handle(context) {
        const id = context.param('id');
        const removal = { ...request, caller: context.caller, id, ifMatch: ifMatch(context), outright: true };
        return respondToWrite(context, records, await records.prepareDelete(removal), () => removedReply);
      },
    };
  }
  return {
    ...shared,
    responses: {
      200: jsonResponse('The record as it is now.', () => recordSchema(type, 'admin', records.types), taggedHeaders),
    },
    async handle(context) {
      const change = { ...request, caller: context.caller, id: context.param('id'), ifMatch: ifMatch(context) };
      const body = input === undefined ? {} : await context.body();
      if (places !== undefined && body[places] !== undefined)
        requirePlacing(type, context.caller, records.types, places);
      const act: UpdateRecordRequest['act'] = (moment, current) => effect(moment, current, body);
      const payload = action.payload?.(body) ?? {};
      const write = await records.prepareUpdate({ ...change, payload, action: name, act });
      return respondToWrite(context, records, write, (answer) => writeReply(answer, 200));
    },
  };
}
