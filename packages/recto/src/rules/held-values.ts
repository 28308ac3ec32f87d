import type { Scalar, ScalarKind } from '../values/value-kind.ts';
import type { ValueDomain } from './value-domain.ts';

/** What is known of the values of an operand, beyond their kind. */
export interface HeldValues {
  /** Set for text that is one of a few words or of one form. */
  readonly domain?: ValueDomain;
  /** Why the field can never hold a value ("Must …"); undefined if it can. */
  refusal?(value: Scalar): string | undefined;
  /** Whether the operand is a relation, which compares as an id. */
  readonly relation?: true;
  /** Whether the request has an array for it: the ids of a relation to many. */
  readonly isList?: true;
  /** The kind of a field whose new value is in the request. */
  readonly kind?: ScalarKind;
}
