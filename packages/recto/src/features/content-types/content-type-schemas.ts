import Type from 'typebox';
import { builtInRoleNames } from '../../base/caller.ts';
import { actions } from '../../content-types/stored-definition.ts';
import { typeSources } from '../../content-types/type-entry.ts';
import { definitionSchemaOf } from '../../definition/definition-file.ts';
import { standardRegistry } from '../../definition/standard-registry.ts';
import { nullable, timeSchema } from '../accounts/account-schemas.ts';

/** A definition as a file would hold it, in JSON. */
export const definitionBody = {
  ...definitionSchemaOf([...standardRegistry.fieldTypes.keys()]),
  $id: 'ContentTypeDefinition',
};

const author = nullable(Type.String({ description: 'The account or API token; null: a command on the machine.' }));

const fieldSchema = Type.Object(
  {
    name: Type.String(),
    field_type: Type.String({ description: 'A field type of definitions, or one of the engine or a protocol.' }),
    origin: Type.Enum(['engine', 'declared', 'protocol']),
    required: Type.Boolean({ description: 'A record always has a value.' }),
    must_be_sent: Type.Boolean({
      description:
        'A new record must be sent with it: it is required, and has neither a default nor a slug made for it.',
    }),
    unique: Type.Boolean(),
    private: Type.Boolean(),
    immutable: Type.Boolean(),
    writable: Type.Boolean({ description: 'A payload may set it.' }),
    writers: nullable(
      Type.Array(Type.Enum([...builtInRoleNames]), {
        description: 'The roles that may set it; null: whoever may write the record.',
      }),
    ),
    show_if: nullable(
      Type.Object(
        {
          condition: Type.Object(
            {},
            { description: 'The rule `show_if` of the definition, as a tree that is evaluated without the language.' },
          ),
          required: Type.Boolean({ description: 'It must have a value where it is shown.' }),
        },
        { description: 'A form shows it if this holds; null: always.', additionalProperties: false },
      ),
    ),
    target: nullable(
      Type.String({ description: 'Of a relation: the singular of the type that it leads to, or `users`.' }),
    ),
    many: Type.Boolean({ description: 'It leads to many records.' }),
  },
  { $id: 'ContentTypeField', additionalProperties: false },
);

export const entrySchema = Type.Object(
  {
    singular: Type.String(),
    plural: Type.String(),
    name: Type.String(),
    kind: Type.Enum(['collection', 'single']),
    source: Type.Enum([...typeSources], { description: 'Only those of the source `api` can be changed here.' }),
    file: nullable(Type.String({ description: 'The file that defines it, or adds fields to it.' })),
    revision: nullable(Type.Integer({ minimum: 1, description: 'Counts its changes; null unless made here.' })),
    created_at: nullable(timeSchema),
    updated_at: nullable(timeSchema),
    updated_by: author,
    handed_over: Type.Boolean({ description: 'It was exported as a file, and is changed there.' }),
    fields: Type.Array(fieldSchema, { description: 'All fields of a record, those of protocols too.' }),
    languages: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The languages of the content (BCP 47), the default first; absent: there is one.',
      }),
    ),
    status_by_language: Type.Optional(
      Type.Literal(true, { description: 'Each language of a record has a status of its own; absent: they share one.' }),
    ),
    definition: definitionBody,
    may: Type.Object(
      {
        create: Type.Boolean(),
        update: Type.Boolean(),
        delete: Type.Boolean(),
        define: Type.Boolean({ description: 'Change or delete the type itself.' }),
      },
      { additionalProperties: false, description: 'What this caller may do, with records by the admin routes.' },
    ),
  },
  {
    $id: 'ContentType',
    additionalProperties: false,
    description:
      'Editors, and callers of a tenant, see it without `api` in the definition; `revision`, `created_at`, `updated_at` and `updated_by` are null for them.',
  },
);

export const previewSchema = Type.Object(
  {
    singular: Type.String(),
    effects: Type.Array(Type.String(), { description: 'What the change would do, in sentences.' }),
  },
  { $id: 'ContentTypePreview', additionalProperties: false },
);

export const revisionSchema = Type.Object(
  {
    revision: Type.Integer({ minimum: 1 }),
    action: Type.Enum([...actions]),
    definition: nullable(definitionBody),
    author,
    made_at: timeSchema,
  },
  { $id: 'ContentTypeRevision', additionalProperties: false },
);

export const dryRunParameter = {
  dry_run: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Return the errors, or what would happen, without changing anything.',
    }),
  ),
};
