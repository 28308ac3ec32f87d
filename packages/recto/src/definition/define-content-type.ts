import type { FieldDefinition, WrittenContentType } from './definition-file.ts';
import type { FieldTypeName } from './fields/index.ts';
import type { ProtocolName } from './protocols/index.ts';

type NamedField = Omit<FieldDefinition, 'field_type'> & { field_type: FieldTypeName };
type NamedProtocol = ProtocolName | { name: ProtocolName; [option: string]: unknown };

/** A content type as a definition file writes it, with the field types and protocols that ship with the product. */
export type ContentTypeDefinition = Omit<WrittenContentType, 'fields' | 'protocols'> & {
  fields?: NamedField[];
  protocols?: NamedProtocol[];
};

/**
 * Gives a definition in a TypeScript file its type; the file exports the result as its default.
 *
 * @example
 * export default defineContentType({
 *   singular: 'article',
 *   plural: 'articles',
 *   fields: [{ name: 'title', field_type: 'text', required: true }],
 * });
 */
export const defineContentType = (definition: ContentTypeDefinition): ContentTypeDefinition => definition;
