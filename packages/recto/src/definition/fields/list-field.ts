import { defineFieldType, type Part } from '../field-type.ts';
import { checkItemOptions, itemBounds, itemOptions, structured } from './structured.ts';

const unnamed = { name: null, label: undefined, description: undefined } as const;

/** Any number of values of one field, or of objects with the same fields, in an order. */
export const listField = defineFieldType({
  name: 'list',
  localizable: true,
  ...structured(),
  options: itemOptions,
  checkOptions: checkItemOptions,
  inside: ['item', 'fields'],
  structure(written, resolve) {
    const { item, fields } = written;
    if ((item === undefined) === (fields === undefined || fields.length === 0)) {
      const message = item === undefined ? 'a list needs an item or fields' : 'a list has an item or fields, not both';
      resolve.report(
        item === undefined ? 'item' : 'fields',
        message,
        'write item = { field_type = "text" }, or fields',
      );
      return undefined;
    }
    const part: Part | undefined = item === undefined ? objects(resolve.fields('fields', fields ?? [])) : undefined;
    const single = item === undefined ? undefined : resolve.item('item', item);
    const only = part ?? (single && { ...unnamed, fields: [], field: new Map(), item: single });
    return only && { many: true, tagged: false, ...itemBounds(written), parts: [only] };
  },
});

const objects = (fields: Part['fields']): Part => ({
  ...unnamed,
  fields,
  field: new Map(fields.map((each) => [each.name, each])),
  item: null,
});
