import { defineEngineTable, plainInteger, plainText } from '../database/engine/engine-table.ts';

export interface TypeRow {
  readonly singular: string;
  readonly definition: string;
  readonly revision: number;
  readonly keeper: string;
  readonly author: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface RevisionRow {
  readonly singular: string;
  readonly revision: number;
  readonly action: string;
  readonly definition: string | null;
  readonly author: string | null;
  readonly made_at: string;
}

export interface DefinitionTables {
  readonly recto_content_types: TypeRow;
  readonly recto_content_type_revisions: RevisionRow;
}

const author = { ...plainText, nullable: true } as const;

/** The content types that were created through the API, as JSON, and their revisions. A removal has no definition. */
export const definitionTables = [
  defineEngineTable<TypeRow>({
    name: 'recto_content_types',
    key: ['singular'],
    columns: {
      singular: plainText,
      definition: plainText,
      revision: plainInteger,
      keeper: plainText,
      author,
      created_at: plainText,
      updated_at: plainText,
    },
    migrations: [],
  }),
  defineEngineTable<RevisionRow>({
    name: 'recto_content_type_revisions',
    key: ['singular', 'revision'],
    columns: {
      singular: plainText,
      revision: plainInteger,
      action: plainText,
      definition: { ...plainText, nullable: true },
      author,
      made_at: plainText,
    },
    migrations: [],
  }),
] as const;
