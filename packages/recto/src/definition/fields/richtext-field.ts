import Type, { type TSchema } from 'typebox';
import type { FieldOptions } from '../content-type.ts';
import { defineFieldType, type Field } from '../field-type.ts';
import { type OptionFault, rejected } from './parsed-value.ts';
import { mostOpenElements, sanitizedHtml } from './sanitized-html.ts';
import { checkTextOptions, lengthOptions, parseText, textKeywords } from './text-options.ts';

/** What `format` can say. */
export const richtextFormats = ['html', 'markdown'] as const;

const isSanitized = ({ format = 'html', sanitize = true }: FieldOptions): boolean => format === 'html' && sanitize;

function checkOptions(options: FieldOptions): readonly OptionFault[] {
  const stray =
    options.format === 'markdown' && options.sanitize !== undefined
      ? [{ option: 'sanitize', message: 'is for format = "html": Markdown is kept as sent' }]
      : [];
  return [...checkTextOptions(options), ...stray];
}

const described = ({ options }: Field): string => {
  if (options.format === 'markdown') return 'Markdown, kept as sent.';
  return isSanitized(options) ? 'HTML, stored without elements and attributes that could harm.' : 'HTML, kept as sent.';
};

const tooDeep = rejected('too_deep', `Must not nest elements more than ${mostOpenElements} deep.`);

/** The bounds are those of what is stored: what is sent may become shorter, or longer where a character is escaped. */
const input = ({ options }: Field): TSchema => Type.String(isSanitized(options) ? {} : textKeywords(options));

/** Text with markup: HTML, which is sanitised unless the definition says otherwise, or Markdown as sent. */
export const richtextField = defineFieldType({
  name: 'richtext',
  localizable: true,
  kind: 'text',
  options: [...lengthOptions, 'format', 'sanitize'],
  checkOptions,
  input,
  documentedInput: (field) => ({ ...input(field), description: described(field) }),
  output: () => Type.String(),
  parse(value, { options }) {
    const sent = parseText(value, isSanitized(options) ? {} : options);
    if (!sent.ok || !isSanitized(options) || typeof sent.value !== 'string') return sent;
    const html = sanitizedHtml(sent.value);
    return html === undefined ? tooDeep : parseText(html, options);
  },
  rewrites: true,
  searchable: true,
  slugSource: true,
});
