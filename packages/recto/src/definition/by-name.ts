interface Named {
  readonly name: string;
}

/** Things by their own names. */
export type ByName<All extends readonly Named[]> = { readonly [One in All[number] as One['name']]: One };

export function byName<const All extends readonly Named[]>(...all: All): ByName<All> {
  // True because each is put under its own name.
  return Object.freeze(Object.fromEntries(all.map((one) => [one.name, one]))) as ByName<All>;
}
