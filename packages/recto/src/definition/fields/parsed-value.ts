import type { FieldValue, ParsedValue } from '../field-type.ts';

/** An error in a field's options, reported under the option's name. */
export interface OptionFault {
  readonly option: string;
  readonly message: string;
}

export const rejected = (code: string, message: string): ParsedValue => ({ ok: false, code, message });

export const accepted = (value: FieldValue): ParsedValue => ({ ok: true, value });
