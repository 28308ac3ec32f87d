import type { FieldValue, ParsedValue } from '../field-type.ts';

/** A fault of a field's options, told under the option's name. */
export interface OptionFault {
  readonly option: string;
  readonly message: string;
}

export const refused = (code: string, message: string): ParsedValue => ({ ok: false, code, message });

export const accepted = (value: FieldValue): ParsedValue => ({ ok: true, value });
