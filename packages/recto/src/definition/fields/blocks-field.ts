import { defineFieldType } from '../field-type.ts';
import { checkItemOptions, itemBounds, itemOptions, structured } from './structured.ts';

/** Items of several kinds, in an order: each says its kind as `block`, and has an `id`. */
export const blocksField = defineFieldType({
  name: 'blocks',
  localizable: true,
  ...structured(),
  options: itemOptions,
  checkOptions: checkItemOptions,
  inside: ['blocks'],
  structure(written, resolve) {
    const { blocks } = written;
    if (blocks === undefined || blocks.length === 0) {
      const remedy = 'write blocks = [{ name = "quote", fields = [{ name = "text", field_type = "text" }] }]';
      resolve.report('blocks', 'blocks need the kinds that there are', remedy);
      return undefined;
    }
    return { many: true, tagged: true, ...itemBounds(written), parts: resolve.blocks('blocks', blocks) };
  },
});
