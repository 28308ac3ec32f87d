import type { FieldError, RectoError } from '@recto/client';
import { serviceText } from '../text/text.ts';

/** A problem of the service in the language of the admin: by its code, or in the service's own words. */
export function problemText({ code, message, errors }: RectoError): string {
  return serviceText(code, { count: errors.length }) ?? message;
}

/** A field by its name: no part of another word, of a path or of an address. */
const nameIn = (name: string): RegExp => new RegExp(`(?<![\\w.-])${name}(?![\\w-]|\\.\\w)`, 'g');

/**
 * What is wrong with a field, or with one of several records, in the language of the admin. `label` is what the form calls the field, which the service knows by its name
 * alone: "Reading minutes is required."
 */
export function faultText({ field, code, message }: FieldError, label?: string): string {
  const limit =
    /^Must (?:have|be) (?:at most|at least|more than|less than)? ?(-?[\d.]*\d)(?: or more| or less| \w+|)\.$/.exec(
      message,
    )?.[1];
  const text = serviceText(`field_${code}`, limit === undefined ? {} : { limit }) ?? serviceText(code, {});
  if (text !== undefined) return text;
  return label === undefined || !/^\w+$/.test(field) ? message : message.replaceAll(nameIn(field), () => label);
}
