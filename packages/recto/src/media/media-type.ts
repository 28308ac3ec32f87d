import Type from 'typebox';
import type { MediaPresets } from '../config/media-presets.ts';
import { defineContentType } from '../definition/define-content-type.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import { defineFieldType } from '../definition/field-type.ts';
import { floatField } from '../definition/fields/float-field.ts';
import { integerField } from '../definition/fields/integer-field.ts';
import { tagsField } from '../definition/fields/tags-field.ts';
import { textField } from '../definition/fields/text-field.ts';
import type { ChangedValues, Protocol, StoredRecord } from '../definition/protocol.ts';
import { protocolField } from '../definition/protocols/protocol-field.ts';
import { cropField } from './crop-field.ts';
import { cleanFileName } from './file-name.ts';
import { framingOf } from './framing.ts';
import { type AddressedFile, fileUrl, variantMembers, variantTail } from './media-address.ts';

const editors = '@request.auth.role = "editor" || @request.auth.role = "admin"';

/** Files (decisions, section 13): everyone reads those that are public, editors and admins do everything else. */
const definition = defineContentType({
  name: 'Media',
  singular: 'media',
  plural: 'media',
  description: 'A file, such as an image.',
  protocols: ['timestampable', 'ownable'],
  fields: [
    { name: 'name', field_type: 'text', required: true, max_length: 255, description: 'The name of the file.' },
    {
      name: 'alt',
      field_type: 'text',
      max_length: 2000,
      description: 'What is in the image, for those who do not see it.',
    },
    { name: 'caption', field_type: 'text', max_length: 5000 },
    {
      name: 'focal_x',
      field_type: 'float',
      min: 0,
      max: 1,
      description: 'The point that variants are cut around, from the left (0) to the right (1).',
    },
    {
      name: 'focal_y',
      field_type: 'float',
      min: 0,
      max: 1,
      description: 'The same from the top (0) to the bottom (1).',
    },
    { name: 'folder', field_type: 'text', max_length: 500, indexed: true },
    {
      name: 'visibility',
      field_type: 'enum',
      enum_values: ['public', 'private'],
      required: true,
      default: 'public',
      description: 'Whether everyone may get the file, or only callers who may read its record.',
    },
  ],
  api: {
    list: { access: 'member', filter: editors },
    get: {
      access: 'public',
      filter: 'visibility = "public"',
      filter_auth: `${editors} || created_by = @request.auth.id`,
    },
    create: { access: 'member', filter: editors },
    update: { access: 'member', filter: editors },
    delete: { access: 'member', filter: editors },
  },
});

/** The addresses of the variants of an image. */
const variantsField = (presets: MediaPresets) =>
  defineFieldType({
    name: 'variants',
    kind: 'text',
    longest: 1000,
    input: () => Type.String(),
    output: () => Type.Record(Type.String(), Type.String()),
    members: variantMembers(presets),
    filterable: false,
    sortable: false,
    // Made of what the file is and what it is called.
    unversioned: true,
  });

const kept = { required: false } as const;
const computed = { ...kept, computed: true } as const;

/** An index holds no texts of unlimited length. */
const indexed = (longest: number) => ({ indexed: true, options: { max_length: longest } });

/** What the service knows of a file; callers set nothing of it but its tags and its crop. */
const stored = (presets: MediaPresets): Protocol => {
  const fields = [
    protocolField('tags', tagsField, { writable: true, default: [] }),
    protocolField('crop', cropField, {
      ...kept,
      writable: true,
      description: 'The part of the image that variants show, as shares of its width and height; null: all of it.',
    }),
    protocolField('mime_type', textField, { ...computed, ...indexed(255), description: 'Found from the bytes.' }),
    protocolField('size', integerField, { ...computed, description: 'Bytes.' }),
    protocolField('width', integerField, { ...computed, description: 'Pixels, as the image is shown.' }),
    protocolField('height', integerField, { ...computed, description: 'Pixels, as the image is shown.' }),
    protocolField('pages', integerField, { ...computed, description: 'Of a PDF, where they can be counted.' }),
    protocolField('duration', floatField, {
      ...computed,
      description: 'Seconds, of audio and video where it is known.',
    }),
    protocolField('hash', textField, {
      ...kept,
      indexed: true,
      // An import brings it: the bytes are found by it.
      options: { max_length: 64, pattern: '^[0-9a-f]{64}$' },
      description: 'SHA-256 of the bytes, in hexadecimal.',
    }),
    protocolField('placeholder', textField, { ...computed, description: 'A ThumbHash of the image, in Base64.' }),
    protocolField('url', textField, { ...computed, description: 'The address of the file on this service.' }),
    protocolField('variants', variantsField(presets), {
      ...computed,
      description: 'The addresses of its variants, by preset.',
    }),
  ];
  return {
    name: 'stored',
    fields: () => fields,
    usedParameter: 'used',
    onCreate: ({ id, changed }) => withAddresses(id, changed, changed),
    onUpdate: ({ id, changed }, current) => withAddresses(id, changed, { ...current, ...changed }),
    derive: withAddresses,
    defaultSort: () => [{ column: 'created_at', direction: 'desc' }],
  };
};

/** A new name as it is kept, and the addresses that follow from it. */
function withAddresses(id: string, { name }: ChangedValues, record: StoredRecord): ChangedValues {
  const renamed = typeof name === 'string' ? { name: cleanFileName(name) } : {};
  return { ...renamed, ...addressesOf(id, { ...record, ...renamed }) };
}

/** `url` and `variants` of a record with these values. */
export function addressesOf(id: string, record: StoredRecord): ChangedValues {
  const file = addressedFile(id, record);
  return file === undefined ? {} : { url: fileUrl(file), variants: variantTail(file) };
}

/** Undefined where there are no bytes yet. */
function addressedFile(id: string, record: StoredRecord): AddressedFile | undefined {
  const { name, hash, mime_type: mimeType } = record;
  if (typeof name !== 'string' || typeof hash !== 'string' || typeof mimeType !== 'string') return undefined;
  return { id, name, hash, mimeType, ...framingOf(record) };
}

/** The built-in type, whose records show the addresses of these variants. */
export const mediaType = (presets: MediaPresets): DefinitionSource => ({
  file: 'media (built in)',
  definition,
  builtIn: { protocols: [stored(presets)], configurable: ['api'], localizable: ['alt', 'caption'] },
});
