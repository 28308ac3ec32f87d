/** A place in a rule's text, in UTF-16 units from its start; `end` is after the last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

// The parsed and the checked tree (discriminated unions on `node`) live here.
export type CheckedNode = { readonly node: 'placeholder' };
