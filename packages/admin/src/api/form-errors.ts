import { RectoError } from '@recto/client';
import type { FormErrors } from '../ui/form-errors.ts';
import { errorText } from './query.svelte.ts';
import { faultText } from './service-text.ts';

/** What the service says is wrong with a form. `known` are the fields that the form shows: errors of others are said above it. */
export function formErrors(error: unknown, known: readonly string[]): FormErrors {
  if (!(error instanceof RectoError) || error.errors.length === 0) return { fields: {}, text: errorText(error) };
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const fault of error.errors) {
    const { field } = fault;
    const message = faultText(fault);
    if (!known.includes(field)) others.push(field === '' ? message : `${field}: ${message}`);
    else fields[field] ??= message;
  }
  return { fields, text: others.length === 0 ? undefined : others.join(' ') };
}
