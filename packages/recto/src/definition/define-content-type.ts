import type { BlockDefinition, FieldDefinition, ItemDefinition, WrittenContentType } from './definition-file.ts';
import type { FieldTypeName } from './fields/index.ts';
import type { ProtocolName } from './protocols/index.ts';

/** What stands inside a field, with the field types that ship with the product. */
interface NamedInside {
  field_type: FieldTypeName;
  fields?: NamedField[];
  item?: Omit<ItemDefinition, keyof NamedInside> & NamedInside;
  blocks?: (Omit<BlockDefinition, 'fields'> & { fields?: NamedField[] })[];
}
type NamedField = Omit<FieldDefinition, keyof NamedInside> & NamedInside;
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
