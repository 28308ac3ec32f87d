import Type from 'typebox';
import type { Field, FieldOptions, FieldType, Structure } from '../field-type.ts';
import { parseStructure } from '../structure/parse-structure.ts';
import { sentStructure, shownStructure } from '../structure/structure-schema.ts';
import type { OptionFault } from './parsed-value.ts';

/** The items of a list that says nothing of them: enough for what people write, and quick to check. */
export const usualMostItems = 1_000;

/** What the types share whose values are made of fields inside them. */
export function structured(): Pick<
  FieldType,
  'kind' | 'input' | 'documentedInput' | 'output' | 'parse' | 'searchable' | 'filterable' | 'sortable'
> {
  return {
    kind: 'json',
    // `parse` finds every error with its path, and knows which block an item is.
    input: () => Type.Unknown(),
    documentedInput: (field) => sentStructure(structureOf(field)),
    output: (field, member) => shownStructure(structureOf(field), member),
    parse: (value, field, sending) => parseStructure(value, structureOf(field), sending),
    searchable: true,
    filterable: false,
    sortable: false,
  };
}

export function structureOf({ name, structure }: Field): Structure {
  if (structure === undefined) throw new Error(`The field ${name} has no structure.`);
  return structure;
}

export const itemOptions = ['min_items', 'max_items'] as const;

export const itemBounds = ({ min_items: minItems = 0, max_items: maxItems = usualMostItems }: FieldOptions) => ({
  minItems,
  maxItems,
});

export function checkItemOptions(options: FieldOptions): readonly OptionFault[] {
  const { minItems, maxItems } = itemBounds(options);
  if (minItems <= maxItems) return [];
  const option = options.min_items === undefined ? 'max_items' : 'min_items';
  return [{ option, message: `min_items (${minItems}) is greater than max_items (${maxItems})` }];
}
