import Type from 'typebox';
import { defineFieldType, type ParsedValue } from '../definition/field-type.ts';
import { accepted } from '../definition/fields/parsed-value.ts';
import { type Crop, fits } from './framing.ts';

const least = 0.001;
const start = (description: string) => Type.Number({ minimum: 0, maximum: 1 - least, description });
const extent = (description: string) => Type.Number({ minimum: least, maximum: 1, description });

const schema = Type.Object(
  {
    x: start('The left edge, from 0 to 1.'),
    y: start('The upper edge, from 0 to 1.'),
    width: extent('A share of the width of the image; with `x` at most 1.'),
    height: extent('A share of its height; with `y` at most 1.'),
  },
  { additionalProperties: false },
);

/** The part of an image that its variants show. */
export const cropField = defineFieldType({
  name: 'crop',
  kind: 'json',
  input: () => schema,
  parse(value): ParsedValue {
    // True because the schema has accepted it.
    const { x, y, width, height } = value as unknown as Crop;
    const inside = [
      ...(fits(x, width) ? [] : [beyond('width', 1 - x)]),
      ...(fits(y, height) ? [] : [beyond('height', 1 - y)]),
    ];
    if (inside.length > 0) return { ok: false, code: 'invalid', message: 'Must be within the image.', inside };
    return accepted({ x, y, width, height });
  },
  filterable: false,
  sortable: false,
});

const beyond = (field: keyof Crop, most: number) => ({
  field,
  code: 'too_large',
  message: `Must be ${Number(most.toFixed(6))} or less, so that the part is within the image.`,
});
