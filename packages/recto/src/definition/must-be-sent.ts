import type { Field } from './field-type.ts';

/** Whether a payload that makes a record must have the field: it is required, and the service fills it neither with a default nor with a slug. */
export const mustBeSent = ({ required, default: usual, options }: Field): boolean =>
  required && usual === undefined && options.target_field === undefined;
