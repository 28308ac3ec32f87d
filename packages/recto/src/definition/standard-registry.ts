import { definitionRegistry } from './definition-registry.ts';
import { fieldTypes } from './fields/index.ts';
import { protocols } from './protocols/index.ts';

/** The field types and protocols that ship with the product. */
export const standardRegistry = definitionRegistry({
  fieldTypes: Object.values(fieldTypes),
  protocols: Object.values(protocols),
});
