import type { MailValues } from './mail-kind.ts';

/** A template names a value that there is not, or is not written as one. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

const placeholder = /\{\{\s*([a-z_]*)\s*\}\}/g;

/** What is wrong with a template whose values have these names; undefined if nothing is. */
export function templateFault(source: string, names: readonly string[]): string | undefined {
  for (const [written, name = ''] of source.matchAll(placeholder))
    if (!names.includes(name))
      return `${written} is not known; there are ${names.map((one) => `{{${one}}}`).join(', ')}`;
  const rest = source.replace(placeholder, '');
  return rest.includes('{{') ? 'after "{{" a template takes a name and "}}", and no expressions' : undefined;
}

/** Puts values into a template. There are no expressions, so that a template runs nothing. Throws `TemplateError`. */
export function fillTemplate(source: string, values: MailValues, escaped: (value: string) => string): string {
  const fault = templateFault(source, Object.keys(values));
  if (fault !== undefined) throw new TemplateError(fault);
  return source.replace(placeholder, (_, name: string) => escaped(values[name] ?? ''));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for values of attributes in quotes. */
export const escapeHtml = (value: string): string =>
  value.replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** For plain text: values are single lines. */
export const oneLine = (value: string): string => value.replace(/\p{Cc}+/gu, ' ');
