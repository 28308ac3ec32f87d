import Type, { type Static } from 'typebox';
import { accessLevels } from './endpoint.ts';
import { longestText, screenText, valueLabels } from './screen-text-schema.ts';

export const relationTypes = ['one_to_one', 'many_to_one', 'one_to_many', 'many_to_many'] as const;

/** Where a group of fields stands in a form. */
export const groupColumns = ['main', 'side'] as const;

/** Colours that a type may have in the admin. */
export const typeColors = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'] as const;

/** No stray keys: a misspelled option would otherwise be an option left out. */
const strict = { additionalProperties: false } as const;

const name = (description: string) =>
  Type.String({ description, pattern: '^[a-z][a-z0-9_-]*$', minLength: 1, maxLength: 50 });

const length = () => Type.Integer({ minimum: 0, maximum: 10_000_000 });
const bound = () => Type.Unsafe<number | string>({ type: ['number', 'string'] });

const relationSchema = Type.Object(
  {
    relation_type: Type.Enum([...relationTypes]),
    target: Type.String({ description: 'The other type, by plural or singular.' }),
    mapped_by: Type.Optional(Type.String({ description: "one_to_many: the target's field that points back." })),
    cascade: Type.Optional(
      Type.Boolean({
        description: 'To one record: this record belongs to it, is deleted with it, and can be duplicated with it.',
      }),
    ),
  },
  strict,
);

const count = () => Type.Integer({ minimum: 0, maximum: 10_000 });

/** What stands inside another field's definition: checked level by level, with the schemas of `innerSchemasOf`. */
const inside = (description: string) => Type.Optional(Type.Array(Type.Object({}), { description }));

const fieldOptionsOf = (fieldTypes: readonly string[]) => ({
  field_type: Type.Enum([...fieldTypes]),
  required: Type.Optional(Type.Boolean()),
  unique: Type.Optional(Type.Boolean()),
  default: Type.Optional(Type.Unknown()),
  private: Type.Optional(Type.Boolean()),
  immutable: Type.Optional(Type.Boolean()),
  indexed: Type.Optional(Type.Boolean()),
  localized: Type.Optional(Type.Boolean()),
  label: Type.Optional(screenText('What people read for the field.', longestText)),
  description: Type.Optional(Type.String()),
  max_length: Type.Optional(length()),
  min_length: Type.Optional(length()),
  min: Type.Optional(bound()),
  max: Type.Optional(bound()),
  pattern: Type.Optional(Type.String()),
  enum_values: Type.Optional(Type.Array(Type.String())),
  value_labels: Type.Optional(valueLabels()),
  target_field: Type.Optional(Type.String()),
  multiple: Type.Optional(Type.Boolean()),
  external: Type.Optional(Type.Boolean()),
  format: Type.Optional(Type.Enum(['html', 'markdown'])),
  sanitize: Type.Optional(Type.Boolean()),
  help: Type.Optional(screenText('A sentence beside the field, on screens where people edit.')),
  placeholder: Type.Optional(screenText('What an empty field shows there.')),
  widget: Type.Optional(name('The control that people edit it with there.')),
  relation: Type.Optional(relationSchema),
  min_items: Type.Optional(count()),
  max_items: Type.Optional(count()),
  fields: inside('group, list: the fields of an item.'),
  item: Type.Optional(
    Type.Object({}, { description: 'list: the field that each item is a value of, without a name.' }),
  ),
  blocks: inside('blocks: the kinds of items, each with its fields.'),
});

const fieldSchemaOf = (fieldTypes: readonly string[]) =>
  Type.Object(
    {
      name: name('The field, as records name it.'),
      renamed_from: Type.Optional(name('The name that it had before, under which its values are still stored.')),
      show_if: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2_000,
          description: 'Where people edit, the field is shown if this rule holds; `required` counts only then.',
        }),
      ),
      ...fieldOptionsOf(fieldTypes),
    },
    strict,
  );

const blockSchema = Type.Object(
  {
    name: name('The kind of block, as items name it.'),
    renamed_from: Type.Optional(name('The name that it had before, under which its items are still stored.')),
    label: Type.Optional(screenText('What people read for it.', longestText)),
    description: Type.Optional(Type.String()),
    image: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'The path of a picture of it, on screens where people choose one: such as /media/quote.png.',
      }),
    ),
    fields: inside('The fields of such an item.'),
  },
  strict,
);

/** The shapes of what stands inside a field: a field of an item, the item of a list, a kind of block. */
export const innerSchemasOf = (fieldTypes: readonly string[]) => ({
  field: fieldSchemaOf(fieldTypes),
  item: Type.Object(fieldOptionsOf(fieldTypes), strict),
  block: blockSchema,
});

const endpointSchema = Type.Object(
  {
    access: Type.Optional(Type.Union([Type.Enum([...accessLevels]), Type.Array(Type.String())])),
    filter: Type.Optional(Type.String()),
    filter_auth: Type.Optional(Type.String()),
    cache: Type.Optional(Type.Boolean()),
    fields: Type.Optional(Type.Array(Type.String())),
  },
  strict,
);

const apiSchema = Type.Object(
  {
    list: Type.Optional(endpointSchema),
    get: Type.Optional(endpointSchema),
    create: Type.Optional(endpointSchema),
    update: Type.Optional(endpointSchema),
    delete: Type.Optional(endpointSchema),
  },
  strict,
);

const groupSchema = Type.Object(
  {
    label: screenText('The heading.'),
    fields: Type.Array(Type.String()),
    column: Type.Optional(
      Type.Enum([...groupColumns], { description: 'Beside the content, or below one another in it.' }),
    ),
  },
  strict,
);

/** For screens where people edit; nothing else reads it. */
const adminSchema = Type.Object(
  {
    label: Type.Optional(screenText('What people read for the type.')),
    plural_label: Type.Optional(screenText('What people read for a list of its records.')),
    icon: Type.Optional(name('The name of a picture for the type.')),
    color: Type.Optional(Type.Enum([...typeColors], { description: 'The colour of the picture.' })),
    labels: Type.Optional(
      Type.Record(Type.String(), screenText('What people read for a field that the definition does not declare.'), {
        description: 'Texts for fields of protocols, and those that every record has.',
      }),
    ),
    section: Type.Optional(screenText('The heading of the navigation that it is below.', 60)),
    title_field: Type.Optional(Type.String({ description: 'The field that names a record.' })),
    list_columns: Type.Optional(Type.Array(Type.String(), { description: 'The fields that a list shows.' })),
    groups: Type.Optional(Type.Array(groupSchema, { description: 'The parts of a form.' })),
    preview_url: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'The page that shows a record, with `{id}`, `{slug}`, `{language}`, and behind a `#` `{token}`.',
      }),
    ),
    page_url: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'The page where readers find a published record, with `{id}`, `{slug}` and `{language}`.',
      }),
    ),
    hidden: Type.Optional(Type.Boolean({ description: 'Left out of navigation.' })),
  },
  strict,
);

/** A protocol's name, or a table of its name and options. What options it takes is the protocol's own to say. */
const protocolSchema = Type.Unsafe<string | { name: string; [option: string]: unknown }>(
  Type.Union([Type.String(), Type.Object({ name: Type.String() })]),
);

/** The shape of a definition in its flat layout, whose fields are of these types; one file defines one type. */
export const definitionSchemaOf = (fieldTypes: readonly string[]) =>
  Type.Object(
    {
      $schema: Type.Optional(Type.String({ description: 'For editors; not read.' })),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      singular: name('One record, as routes of single types and references name it.'),
      plural: Type.Optional(name('The collection, as its routes name it.')),
      renamed_from: Type.Optional(name('The singular that it had before, under which its records are still stored.')),
      kind: Type.Optional(Type.Enum(['collection', 'single'])),
      description: Type.Optional(Type.String()),
      api_restful: Type.Optional(Type.Boolean()),
      protocols: Type.Optional(Type.Array(protocolSchema)),
      unique: Type.Optional(
        Type.Array(Type.Array(Type.String()), {
          description: 'Sets of fields whose values no two records share all of.',
        }),
      ),
      fields: Type.Optional(Type.Array(fieldSchemaOf(fieldTypes))),
      api: Type.Optional(apiSchema),
      admin: Type.Optional(adminSchema),
    },
    strict,
  );

/** A content type as a definition writes it. */
export type WrittenContentType = Omit<Static<ReturnType<typeof definitionSchemaOf>>, 'fields'> & {
  fields?: FieldDefinition[];
};
type Inside = 'fields' | 'item' | 'blocks';
type FieldOptionsWritten = Omit<Static<ReturnType<typeof fieldSchemaOf>>, Inside>;

/** A field as a definition writes it. */
export interface FieldDefinition extends FieldOptionsWritten, InsideDefinition {}

/** What stands inside a field: fields of its own. */
export interface InsideDefinition {
  fields?: FieldDefinition[];
  item?: ItemDefinition;
  blocks?: BlockDefinition[];
}

/** The item of a list: a field without a name. */
export interface ItemDefinition extends Omit<FieldOptionsWritten, 'name' | 'renamed_from'>, InsideDefinition {}

/** A kind of block. */
export interface BlockDefinition extends Omit<Static<typeof blockSchema>, 'fields'> {
  fields?: FieldDefinition[];
}
export type RelationDefinition = Static<typeof relationSchema>;
export type EndpointDefinition = Static<typeof endpointSchema>;

/** For the names of its parts, which are the same whatever the field types. */
const { properties } = definitionSchemaOf([]);

/** The names that are known at each level of a definition; `[]` stands for any index. */
export const knownNames: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(properties).filter((key) => key !== '$schema'),
  'fields[]': Object.keys(fieldSchemaOf([]).properties),
  'fields[].relation': Object.keys(relationSchema.properties),
  item: Object.keys(innerSchemasOf([]).item.properties),
  'blocks[]': Object.keys(blockSchema.properties),
  api: Object.keys(apiSchema.properties),
  admin: Object.keys(adminSchema.properties),
  'admin.groups[]': Object.keys(groupSchema.properties),
  ...Object.fromEntries(
    Object.keys(apiSchema.properties).map((endpoint) => [`api.${endpoint}`, Object.keys(endpointSchema.properties)]),
  ),
};
