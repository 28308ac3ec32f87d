import Type, { type TObject } from 'typebox';
import type { ContentType } from '../../definition/content-type.ts';
import type { Records } from '../../records/records.ts';
import type { Operation } from '../operation.ts';
import { jsonReply } from '../reply.ts';
import { refusals } from './record-operation.ts';
import { schemaName } from './record-schemas.ts';
import { doingAll, mostSteps } from './several-records.ts';

interface OrderedItem {
  readonly id: string;
  readonly [column: string]: unknown;
}

/** Where a type's records are for admins, and the integer column that holds their places. */
export interface Ordered {
  readonly base: string;
  readonly column: string;
}

/** `PUT /api/v1/admin/pages/reorder` (service specification, section 4.1): the places of several records, of all or of none. */
export function reorderOperation(type: ContentType, records: Records, { base, column }: Ordered): Operation {
  return {
    id: `reorder${schemaName(type)}Records`,
    method: 'PUT',
    path: `${base}/reorder`,
    tag: type.name,
    summary: `Set the order of ${type.plural}`,
    description: 'All the places are set or, where a record cannot be found, none.',
    security: 'bearer',
    roles: ['admin', 'editor'],
    body: { schema: orderSchema(column), validation: 'schema' },
    responses: { 200: { description: 'How many places were set.', schema: doneSchema } },
    problems: refusals(422),
    async handle(context) {
      // True because the schema has accepted the body.
      const { items } = (await context.body()) as { items: readonly OrderedItem[] };
      const steps = items.map(async ({ id, [column]: place }, index) => {
        const change = { type, admin: true, caller: context.caller, search: '', id, payload: {}, ifMatch: null };
        const work = await records.change({ ...change, action: 'reorder', act: () => ({ [column]: Number(place) }) });
        return { field: `items[${index}].id`, id, work };
      });
      const work = doingAll(records, type, context.caller, await Promise.all(steps));
      return records.together(
        type,
        context.answering(work, () => jsonReply(200, { affected: items.length })),
      );
    },
  };
}

const { MIN_SAFE_INTEGER: minimum, MAX_SAFE_INTEGER: maximum } = Number;

const itemSchema = (column: string): TObject =>
  Type.Object({ id: Type.String(), [column]: Type.Integer({ minimum, maximum }) }, { additionalProperties: false });

const orderSchema = (column: string): TObject =>
  Type.Object(
    { items: Type.Array(itemSchema(column), { minItems: 1, maxItems: mostSteps }) },
    { additionalProperties: false },
  );

const doneSchema = Type.Object({ affected: Type.Integer({ minimum: 1 }) }, { additionalProperties: false });
