import { authColumns } from '../../auth/auth-tables.ts';
import type { CopiedTable } from './copied-table.ts';

const text = (...names: readonly string[]): CopiedTable['columns'] => names.map((name) => ({ name, kind: 'text' }));
const integer = (...names: readonly string[]): CopiedTable['columns'] =>
  names.map((name) => ({ name, kind: 'integer' }));

/** What the database remembers of the types' tables: brought in when those are made. */
export const schemaCopy: CopiedTable = {
  name: 'recto_schema',
  key: ['type'],
  columns: text('type', 'snapshot', 'dormant'),
};

const { recto_auth_locks: _locks, ...accounts } = authColumns;

/** The engine's own tables. */
export const engineCopies: readonly CopiedTable[] = [
  {
    name: 'recto_content_types',
    key: ['singular'],
    columns: [
      ...text('singular', 'definition'),
      ...integer('revision'),
      ...text('keeper', 'author', 'created_at', 'updated_at'),
    ],
  },
  {
    name: 'recto_content_type_revisions',
    key: ['singular', 'revision'],
    columns: [...text('singular'), ...integer('revision'), ...text('action', 'definition', 'author', 'made_at')],
  },
  ...Object.entries(accounts).map(
    ([name, columns]): CopiedTable => ({
      name,
      key: columns.slice(0, 1).map(([column]) => column),
      columns: columns.map(([column, kind]) => ({ name: column, kind })),
    }),
  ),
  {
    name: 'recto_idempotency_keys',
    key: ['id'],
    columns: [...text('id', 'fingerprint'), ...integer('expires_at', 'status'), ...text('headers', 'body')],
  },
  {
    name: 'recto_imports',
    key: ['source', 'kind', 'external_id'],
    columns: text('source', 'kind', 'external_id', 'record_id'),
  },
  {
    name: 'recto_revisions',
    key: ['type', 'record', 'revision'],
    columns: [
      ...text('type', 'record'),
      ...integer('revision'),
      ...text('action', 'author', 'author_kind', 'at'),
      ...integer('restored_from'),
      ...text('changed', 'private_fields', 'body'),
    ],
  },
];

/** What each database keeps for its own processes alone, and makes anew. */
export const notCopied: readonly string[] = ['recto_auth_locks', 'recto_generations', 'recto_writers', 'recto_commits'];
