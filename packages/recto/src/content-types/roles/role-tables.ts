import { defineEngineTable, plainInteger, plainText } from '../../database/engine/engine-table.ts';

export interface RoleRow {
  readonly name: string;
  readonly definition: string;
  readonly revision: number;
  readonly author: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface RoleTables {
  readonly recto_roles: RoleRow;
}

/** The roles that were created through the API, as JSON. */
export const roleTables = [
  defineEngineTable<RoleRow>({
    name: 'recto_roles',
    key: ['name'],
    columns: {
      name: plainText,
      definition: plainText,
      revision: plainInteger,
      author: { ...plainText, nullable: true },
      created_at: plainText,
      updated_at: plainText,
    },
    migrations: [],
  }),
] as const;
