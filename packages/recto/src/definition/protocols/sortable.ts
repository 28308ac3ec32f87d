import Type from 'typebox';
import { defineProtocol } from '../protocol.ts';
import { isValue } from '../stored-field.ts';
import { positionColumn, positionField } from './position-field.ts';

/**
 * The order of lists that ask for none: by the option `field`, or by a `position` that editors set. A new record comes
 * last.
 */
export const sortable = defineProtocol({
  name: 'sortable',
  kind: 'collection',
  options: Type.Object(
    {
      field: Type.Optional(Type.String()),
      direction: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['asc', 'desc'] })),
    },
    { additionalProperties: false },
  ),
  checkOptions: ({ field, direction }) =>
    direction !== undefined && field === undefined
      ? [{ option: 'direction', message: 'a direction is for an order by a field, which the option "field" names' }]
      : [],
  checkFields(fields, { field: name }) {
    if (typeof name !== 'string') return [];
    const field = fields.get(name);
    const fault = (message: string, remedy: string) => [{ option: 'field', message, remedy }];
    if (field === undefined) return fault(`there is no field "${name}" to sort by`, 'name a field of the type');
    if (field.private || field.type.secret) {
      return fault(`the order would reveal the private field "${name}"`, 'name a field that is public');
    }
    if (!field.type.sortable || !isValue(field)) {
      return fault(`"${name}" is of type ${field.type.name}, which has no order`, 'name a field of another type');
    }
    return [];
  },
  fields: ({ field }) => (field === undefined ? [positionField] : []),
  defaultSort: ({ field, direction }) => [
    {
      column: typeof field === 'string' ? field : positionColumn,
      direction: direction === 'desc' ? 'desc' : 'asc',
    },
  ],
  async placeNew(_moment, stored, { field }) {
    if (field !== undefined) return {};
    const last = (await stored.greatest(positionColumn)) ?? -1;
    return { [positionColumn]: Math.min(last + 1, Number.MAX_SAFE_INTEGER) };
  },
  placeColumn: ({ field }) => (field === undefined ? positionColumn : undefined),
});
