import { expect, test } from 'bun:test';
import { definitionsOf } from '../../../../../test/support/definitions.ts';

test.each([
  [[{ name: 'title', field_type: 'text' }], false],
  [[{ name: 'code', field_type: 'text', unique: true, max_length: 20 }], true],
  [[{ name: 'slug', field_type: 'uid' }], true],
] as const)('whether a new record with %p can be rejected by a unique index: %p', (fields, expected) => {
  const types = definitionsOf({ singular: 'note', plural: 'notes', fields });
  expect(types.get('note').facts.hasUniqueFields).toBe(expected);
});
