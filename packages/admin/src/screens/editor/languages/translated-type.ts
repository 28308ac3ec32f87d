import type { ContentTypeInfo } from '../../../api/content-type-info.ts';

/**
 * A type as a form edits it in another language than the default: only what each language says by itself can be written, and no language but the
 * default has to say anything.
 */
export function translatedType(type: ContentTypeInfo, localized: readonly string[]): ContentTypeInfo {
  const isOwn = (name: string): boolean => localized.includes(name);
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

const optional = <Shown extends ContentTypeInfo['fields'][number]['show_if']>(shown: Shown) =>
  shown ? { ...shown, required: false } : shown;
