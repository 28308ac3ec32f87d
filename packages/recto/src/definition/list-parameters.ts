/** The parameters of lists that are no field's name (service specification, section 4.5, and `cursor`). No field may have one of these names. */
export const listParameters = [
  'page',
  'page_size',
  'filter',
  'sort',
  'search',
  'include',
  'fields',
  'skip_total',
  'cursor',
] as const;
export type ListParameter = (typeof listParameters)[number];
