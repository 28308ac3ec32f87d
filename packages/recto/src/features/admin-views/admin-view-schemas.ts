import Type, { type Static } from 'typebox';
import type { Preference } from '../../admin-views/preference-store.ts';
import { type SavedView, viewLimits } from '../../admin-views/saved-view.ts';
import { recordId } from '../../http/shared-schemas.ts';
import { timeSchema } from '../accounts/account-schemas.ts';

const input = {
  type: Type.String({ maxLength: 200, description: 'A content type, by its singular or plural name.' }),
  name: Type.String({ minLength: 1, maxLength: viewLimits.name, pattern: '\\S', description: 'For people.' }),
  shared: Type.Boolean({
    description: 'Whether others of the tenant see it who may read what it names. Default: false.',
  }),
  filter: Type.String({ maxLength: viewLimits.filter, description: 'A filter for the admin list of the type.' }),
  search: Type.String({ maxLength: viewLimits.search, description: 'Words to search for.' }),
  sort: Type.String({ maxLength: viewLimits.sort, description: 'As the list takes it: `title:asc,created_at:desc`.' }),
  columns: Type.Array(Type.String({ minLength: 1, maxLength: viewLimits.columnName }), {
    maxItems: viewLimits.columns,
    uniqueItems: true,
    description: 'The fields that are shown, in their order. Empty: those of the type.',
  }),
};

const optional = {
  shared: Type.Optional(input.shared),
  filter: Type.Optional(input.filter),
  search: Type.Optional(input.search),
  sort: Type.Optional(input.sort),
  columns: Type.Optional(input.columns),
};

const kept = Type.Optional(Type.Unknown({ description: 'Ignored, so that a fetched view can be sent back.' }));

export const newView = { type: input.type, name: input.name, ...optional };
export const viewChange = {
  name: Type.Optional(input.name),
  ...optional,
  ...{ id: kept, type: kept, owner: kept, may_change: kept, created_at: kept, updated_at: kept },
};

export const viewSchema = Type.Object(
  {
    id: recordId,
    type: Type.String({ description: 'The content type, as in addresses: its plural, of a single type its singular.' }),
    name: Type.String(),
    shared: Type.Boolean(),
    filter: Type.String(),
    search: Type.String(),
    sort: Type.String(),
    columns: Type.Array(Type.String()),
    owner: Type.String({ description: 'The account or API token that made it.' }),
    may_change: Type.Boolean({ description: 'Whether the caller may change and delete it.' }),
    created_at: timeSchema,
    updated_at: timeSchema,
  },
  { $id: 'SavedView', additionalProperties: false },
);

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** `nameOf`: a type's name in addresses. */
export const viewJson = (
  view: SavedView,
  nameOf: (singular: string) => string,
  mayChange: boolean,
): Static<typeof viewSchema> => ({
  id: view.id,
  type: nameOf(view.type),
  name: view.name,
  shared: view.shared,
  filter: view.filter,
  search: view.search,
  sort: view.sort,
  columns: [...view.columns],
  owner: view.owner,
  may_change: mayChange,
  created_at: timeOf(view.createdAt),
  updated_at: timeOf(view.updatedAt),
});

export const preferenceParams = {
  name: Type.String({
    pattern: '^[a-z][a-z0-9._:-]{0,199}$',
    description: 'Names what is chosen, such as `list:articles`.',
  }),
};

export const preferenceBody = { value: Type.Unknown({ description: 'Any JSON value.' }) };

export const preferenceSchema = Type.Object(
  {
    name: preferenceParams.name,
    value: Type.Unknown({ description: 'What was chosen, as it was sent.' }),
    updated_at: timeSchema,
  },
  { $id: 'Preference', additionalProperties: false },
);

export const preferenceJson = ({ name, value, updatedAt }: Preference): Static<typeof preferenceSchema> => ({
  name,
  value,
  updated_at: timeOf(updatedAt),
});
