import type { FieldComponent, LazyField } from './field-type.ts';

/** A field component that is loaded once, when it is first asked for. */
export function lazyField(
  load: () => Promise<{ readonly default: FieldComponent }>,
  { isHeavy = false }: { readonly isHeavy?: boolean } = {},
): LazyField {
  let loaded: FieldComponent | undefined;
  return {
    isHeavy,
    get loaded() {
      return loaded;
    },
    async load() {
      loaded ??= (await load()).default;
      return loaded;
    },
  };
}
