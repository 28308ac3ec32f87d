import type { FormContext } from '../../form-context.ts';

/** Fields in which records often say which language they are written in. */
const languageFields = ['language', 'lang', 'locale'];

/** The language in which a record says that it is written; undefined: it doesn't. */
export function recordLanguage(form: FormContext): string | undefined {
  for (const name of languageFields) {
    const value = form.valueAt(name);
    if (typeof value === 'string' && /^[a-z]{2,3}(?:[-_][a-z\d]{2,8})*$/i.test(value))
      return value.replaceAll('_', '-');
  }
  return undefined;
}
