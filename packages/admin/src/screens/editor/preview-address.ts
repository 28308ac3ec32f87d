import type { Values } from '../../editing/editing-state.ts';

/** The page that shows a record, by the type's `preview_url`. Undefined: the record lacks what its address is made of. */
export function previewAddress(template: string, values: Values): string | undefined {
  let isComplete = true;
  const address = template.replaceAll(/\{(id|slug)\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value);
    isComplete = false;
    return '';
  });
  return isComplete ? address : undefined;
}
