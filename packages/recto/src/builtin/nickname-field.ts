import { withoutInvisible } from '../base/invisible-characters.ts';
import { defineFieldType } from '../definition/field-type.ts';
import { textField } from '../definition/fields/text-field.ts';
import { parseText } from '../definition/fields/text-options.ts';

/**
 * What someone who comments is called: text without invisible characters, however it arrives. With them, a guest could be called
 * what a member is called.
 */
export const nicknameField = defineFieldType({
  ...textField,
  name: 'nickname',
  parse: (value, { options }) => parseText(typeof value === 'string' ? withoutInvisible(value) : value, options),
});
