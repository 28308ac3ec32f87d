import type { ContentType } from './content-type.ts';

/** Computes a fact of a content type once. Compiled types never change: another definition makes another type. */
export function perType<T>(compute: (type: ContentType) => T): (type: ContentType) => T {
  const known = new WeakMap<ContentType, { readonly fact: T }>();
  return (type) => {
    const found = known.get(type);
    if (found !== undefined) return found.fact;
    const fact = compute(type);
    known.set(type, { fact });
    return fact;
  };
}
