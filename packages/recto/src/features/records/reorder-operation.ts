import Type, { type TSchema } from 'typebox';
import type { ContentType } from '../../definition/content-type.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { recordId } from '../../http/shared-schemas.ts';
import { mostSteps, prepareAll } from '../../records/batch/several-records.ts';
import { requirePlacing } from '../../records/checks/role-rights.ts';
import type { Records } from '../../records/records.ts';
import { commonProblems } from './record-operation.ts';
import { respondToWrite } from './respond-to-write.ts';
import { schemaName } from './schema-name.ts';

/** Where a type's records are for admins, and the integer column that holds their places. */
export interface Ordered {
  readonly base: string;
  readonly column: string;
}

/** `PUT /api/v1/admin/pages/reorder` (service specification, section 4.1): the places of several records, of all or of none. */
export function reorderOperation(type: ContentType, records: Records, { base, column }: Ordered): Operation {
  const body = new CheckedBody(orderProperties(column, Type.String()), orderProperties(column, recordId));
  return {
    id: `reorder${schemaName(type)}Records`,
    method: 'PUT',
    path: `${base}/reorder`,
    tag: type.name,
    summary: `Set the order of ${type.plural}`,
    description: 'All the places are set or, where a record cannot be found, none.',
    security: 'bearer',
    roles: ['admin', 'editor'],
    right: { type: type.singular, action: 'update' },
    body: body.declaration,
    responses: { 200: { description: 'How many places were set.', schema: doneSchema } },
    problems: commonProblems(422),
    async handle(context) {
      requirePlacing(type, context.caller, records.types, column);
      const { items } = await body.read(context);
      const steps = items.map(async ({ id, [column]: place }, index) => {
        const change = { type, admin: true, caller: context.caller, search: '', id, payload: {}, ifMatch: null };
        const act = () => ({ [column]: Number(place) });
        const write = await records.prepareUpdate({ ...change, action: 'reorder', act });
        return { field: `items[${index}].id`, id, write };
      });
      const write = prepareAll(records, { type, caller: context.caller }, await Promise.all(steps));
      return respondToWrite(context, records, write, () => jsonReply(200, { affected: items.length }));
    },
  };
}

const { MIN_SAFE_INTEGER: minimum, MAX_SAFE_INTEGER: maximum } = Number;

interface OrderedItem {
  readonly id: string;
  readonly [column: string]: unknown;
}

/** What is no id is reported with the ids of no record: all at once. The document says what an id is. */
const orderProperties = (column: string, id: TSchema) => {
  const place = Type.Integer({ minimum, maximum });
  const item = Type.Object({ id, [column]: place }, { additionalProperties: false });
  return { items: Type.Array(Type.Unsafe<OrderedItem>(item), { minItems: 1, maxItems: mostSteps }) };
};

const doneSchema = Type.Object({ affected: Type.Integer({ minimum: 1 }) }, { additionalProperties: false });
