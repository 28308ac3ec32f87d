import Type from 'typebox';
import type { ContentType } from '../../definition/content-type.ts';
import type { Records } from '../../records/records.ts';
import { refusals } from '../cms/record-operation.ts';
import { schemaName } from '../cms/record-schemas.ts';
import { json } from '../json-response.ts';
import type { Operation } from '../operation.ts';
import { doAll, mostSteps } from './several-records.ts';

interface OrderedItem {
  readonly id: string;
  readonly sort_order: number;
}

/** `PUT /api/v1/admin/pages/reorder` (service specification, section 4.1): the places of several records, of all or of none. */
export function reorderOperation(type: ContentType, records: Records): Operation {
  return {
    id: `reorder${schemaName(type)}Records`,
    method: 'PUT',
    path: `/api/v1/admin/${type.plural}/reorder`,
    tag: type.name,
    summary: `Set the order of ${type.plural}`,
    description: 'All the places are set or, where a record cannot be found, none.',
    security: 'bearer',
    roles: ['admin', 'editor'],
    body: { schema: orderSchema, validation: 'schema' },
    responses: { 200: { description: 'How many places were set.', schema: doneSchema } },
    problems: refusals(422),
    async handle(context) {
      // True because the schema has accepted the body.
      const { items } = (await context.body()) as { items: readonly OrderedItem[] };
      const steps = items.map(async ({ id, sort_order }, index) => {
        const change = { type, admin: true, caller: context.caller, search: '', id, ifMatch: null };
        const work = await records.change({ ...change, payload: { sort_order } });
        return { field: `items[${index}].id`, id, work };
      });
      await doAll(records, type, await Promise.all(steps));
      return json(200, { affected: items.length });
    },
  };
}

const { MIN_SAFE_INTEGER: minimum, MAX_SAFE_INTEGER: maximum } = Number;

const itemSchema = Type.Object(
  { id: Type.String(), sort_order: Type.Integer({ minimum, maximum }) },
  { additionalProperties: false },
);

const orderSchema = Type.Object(
  { items: Type.Array(itemSchema, { minItems: 1, maxItems: mostSteps }) },
  { additionalProperties: false },
);

const doneSchema = Type.Object({ affected: Type.Integer({ minimum: 1 }) }, { additionalProperties: false });
