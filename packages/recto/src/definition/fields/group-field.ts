import { defineFieldType } from '../field-type.ts';
import { structured } from './structured.ts';

/** Fields that belong together, as one object. */
export const groupField = defineFieldType({
  name: 'group',
  localizable: true,
  ...structured(),
  inside: ['fields'],
  structure({ fields }, resolve) {
    if (fields === undefined || fields.length === 0) {
      resolve.report('fields', 'a group needs fields', 'write fields = [{ name = "title", field_type = "text" }]');
      return undefined;
    }
    const members = resolve.fields('fields', fields);
    const field = new Map(members.map((each) => [each.name, each]));
    const part = { name: null, label: undefined, description: undefined, fields: members, field, item: null };
    return { many: false, tagged: false, minItems: 0, maxItems: 1, parts: [part] };
  },
});
