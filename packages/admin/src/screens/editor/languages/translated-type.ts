import type { ContentTypeInfo } from '../../../api/content-type-info.ts';

/**
 * A type as a form edits it in another language than the default: only what each language says by itself can be written, and no language but the
 * default has to say anything.
 */
export function translatedType(type: ContentTypeInfo, localized: readonly string[]): ContentTypeInfo {
  const own = new Set([...localized, ...(sharesStatus(type) ? [] : ['status', 'scheduled_at'])]);
  const isOwn = (name: string): boolean => own.has(name);
  const { fields = [] } = type.definition;
  return {
    ...type,
    fields: type.fields.map((field) =>
      isOwn(field.name)
        ? { ...field, required: false, must_be_sent: false, show_if: optional(field.show_if) }
        : { ...field, writable: false },
    ),
    definition: {
      ...type.definition,
      fields: fields.map((field) => (isOwn(field.name) ? { ...field, required: false } : field)),
    },
  };
}

/** A type as a form edits it whose role does not say anything in the language: what each language says by itself is only shown. */
export function withoutLanguage(type: ContentTypeInfo, localized: readonly string[]): ContentTypeInfo {
  const isOwn = (name: string): boolean => localized.includes(name);
  return {
    ...type,
    fields: type.fields.map((field) => (isOwn(field.name) ? { ...field, writable: false } : field)),
    may: { ...type.may, publish: sharesStatus(type) && type.may.publish !== false },
  };
}

/** Whether all languages have the status of the record. */
export const sharesStatus = ({ status_by_language: isByLanguage }: ContentTypeInfo): boolean => isByLanguage !== true;

const optional = <Shown extends ContentTypeInfo['fields'][number]['show_if']>(shown: Shown) =>
  shown ? { ...shown, required: false } : shown;
