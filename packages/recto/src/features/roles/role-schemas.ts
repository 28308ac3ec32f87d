import Type from 'typebox';
import { roleOrigins } from '../../content-types/roles/role-entry.ts';
import { commentRights, mediaRights, roleActions, roleBases } from '../../definition/roles/role.ts';
import { longestRoleName, roleNamePattern } from '../../definition/roles/role-structure.ts';
import { recordId } from '../../http/shared-schemas.ts';
import { nullable, timeSchema } from '../accounts/account-schemas.ts';

const strict = { additionalProperties: false } as const;

const fields = Type.Object(
  { only: Type.Optional(Type.Array(Type.String())), except: Type.Optional(Type.Array(Type.String())) },
  { ...strict, description: 'Either `only` these fields, or all of the base `except` these.' },
);

const grant = Type.Optional(
  Type.Union([Type.Boolean(), Type.String()], { description: 'All records, none, or those for which a rule holds.' }),
);

const typeGrant = Type.Object(
  {
    ...Object.fromEntries(roleActions.map((action) => [action, grant])),
    read: Type.Optional(fields),
    write: Type.Optional(fields),
    languages: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description: 'The languages that the role writes in, of types with values by language. Default: all.',
      }),
    ),
  },
  strict,
);

const members = {
  label: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  base: Type.Optional(
    Type.Enum([...roleBases], {
      description:
        '`member` (the default): nothing beyond; `editor`: everything that an editor may, narrowed by the rest.',
    }),
  ),
  types: Type.Optional(
    Type.Record(Type.String(), typeGrant, {
      description: 'By the singular name of a content type; `*`: all types without an entry of their own.',
    }),
  ),
  may: Type.Optional(
    Type.Object(
      {
        media: Type.Optional(Type.Enum([...mediaRights])),
        comments: Type.Optional(Type.Enum([...commentRights])),
        users: Type.Optional(Type.Boolean()),
        import: Type.Optional(Type.Literal(false, { description: 'Only admins run imports.' })),
        events: Type.Optional(Type.Boolean()),
        releases: Type.Optional(Type.Boolean()),
        share: Type.Optional(Type.Boolean()),
      },
      strict,
    ),
  ),
};

const name = Type.String({ pattern: roleNamePattern, maxLength: longestRoleName });

/** The content of a role's file. */
export const newRoleBody = Type.Object({ name, ...members }, { $id: 'NewRole', ...strict });

/** The same, where the path names it. */
export const roleBody = Type.Object({ name: Type.Optional(name), ...members }, { $id: 'RoleDefinition', ...strict });

export const roleEntrySchema = Type.Object(
  {
    name,
    label: Type.String(),
    base: Type.Enum([...roleBases]),
    source: Type.Enum([...roleOrigins], { description: '`file`: it belongs to the deployment, and is changed there.' }),
    file: nullable(Type.String()),
    revision: nullable(Type.Integer({ minimum: 1 })),
    created_at: nullable(timeSchema),
    updated_at: nullable(timeSchema),
    updated_by: nullable(recordId),
    definition: newRoleBody,
  },
  { $id: 'Role', ...strict },
);

/** How far a right goes. */
export const extents = ['all', 'some', 'none'] as const;
export type Extent = (typeof extents)[number];

const extent = Type.Enum([...extents], { description: '`some`: a rule decides for each record.' });

export const permissionsSchema = Type.Object(
  {
    role: Type.String(),
    label: Type.String(),
    types: Type.Record(
      Type.String(),
      Type.Object(
        {
          ...Object.fromEntries(roleActions.map((action) => [action, extent])),
          read: Type.Array(Type.String(), { description: 'The fields that the caller reads.' }),
          write: Type.Array(Type.String(), { description: 'The fields that the caller sets and changes.' }),
          languages: Type.Optional(
            Type.Array(Type.String(), {
              description: 'Of a type with values by language: the languages that the caller writes in.',
            }),
          ),
        },
        strict,
      ),
      { description: 'By the singular name of a content type. Types that the caller has no right to are left out.' },
    ),
    may: Type.Object(
      {
        media: Type.Enum([...mediaRights]),
        comments: Type.Enum([...commentRights]),
        users: Type.Boolean(),
        import: Type.Boolean(),
        events: Type.Boolean(),
        releases: Type.Boolean(),
        share: Type.Boolean(),
      },
      strict,
    ),
  },
  { $id: 'Permissions', ...strict },
);
