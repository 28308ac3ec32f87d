import { dirname, join } from 'node:path';

/**
 * The tests in `test/` that run modules of `packages/recto/src`, by what they need them for. All others use what is published:
 * routes, commands and the package `recto`. A test of one module alone belongs beside that module.
 */
export const sourceImports: Readonly<Record<string, readonly string[]>> = {
  'compares documentation with tables of the code': [
    'docs/command-docs.test.ts',
    'docs/docs.test.ts',
    'docs/languages-docs.test.ts',
    'docs/protocol-docs.test.ts',
    'docs/reason-phrases.test.ts',
    'docs/scaling-docs.test.ts',
  ],
  'compares files for deployments with the table of settings': [
    'packages/compose.test.ts',
    'packages/container.test.ts',
    'packages/deploy.test.ts',
  ],
  'covers every field type or protocol that the code has': [
    'spec/protocols/protocol-pairs.test.ts',
    'spec/requests/round-trip.test.ts',
  ],
  'compares what a browser shows with the sanitizer': ['browser/field-richtext.test.ts'],
  'reads SQL statements and their plans': [
    'http/filter-plans.test.ts',
    'http/list-statements.test.ts',
    'http/roles/role-plans.test.ts',
  ],
  'compares two ways of evaluating the same rule or filter': [
    'http/rules-agree.test.ts',
    'spec/lists/filter-ways.property.test.ts',
    'spec/rules/private-members.property.test.ts',
  ],
  'makes something fail, or stay busy, at an exact moment': [
    'faults/sqlite-faults.test.ts',
    'faults/storage-failures.test.ts',
    'faults/storage-outages.test.ts',
    'http/media/busy-images.test.ts',
    'processes/schema-history/kill.test.ts',
  ],
  'forges tokens or entity tags': ['http/bad-input.test.ts', 'spec/requests/limits-and-cache.test.ts'],
  'runs work of the service itself, with a clock, a place or failures of its own': [
    'http/events/webhooks.test.ts',
    'http/media/maintenance.test.ts',
    'http/transfer/import-media.test.ts',
    'spec/protocols/scheduled-status.test.ts',
    'spec/protocols/stages.test.ts',
  ],
  'sends bytes to a listener of its own': ['http/raw-requests.test.ts'],
  'observes an import or a copy while it runs': [
    'http/media/wordpress-fetch.test.ts',
    'http/media/wordpress-uploads.test.ts',
    'http/languages/states.property.test.ts',
    'http/languages/built-in-statuses.test.ts',
    'http/languages/statuses.test.ts',
    'http/languages/relations.test.ts',
    'http/languages/transfer.test.ts',
    'http/transfer/csv-import.test.ts',
    'http/transfer/export-import.test.ts',
    'http/transfer/import-contentful.test.ts',
    'http/transfer/import-core.test.ts',
    'http/transfer/import-directus-sample.test.ts',
    'http/transfer/import-directus.test.ts',
    'http/transfer/import-ghost.test.ts',
    'http/transfer/import-languages.test.ts',
    'http/transfer/import-pocketbase.test.ts',
    'http/transfer/import-strapi.test.ts',
    'http/transfer/import-wordpress.test.ts',
    'processes/copy.test.ts',
  ],
  'looks at definitions as they are read': ['http/transfer/raisfast.test.ts'],
  'opens or changes a database without a service': [
    'processes/postgres-replicas.test.ts',
    'processes/postgres-tls.test.ts',
    'processes/schema-history/history.test.ts',
    'spec/types/content-types-api.test.ts',
  ],
};

const transpiler = new Bun.Transpiler({ loader: 'ts' });

/**
 * The modules of `packages/recto/src` that a test in `test/` runs; both paths are relative to the repository. The entry of the
 * package is no such module. Imports of types run nothing, and the compiler says when a type changes. Fixtures are written for tests.
 */
export function importedSources(file: string, text: string): readonly string[] {
  return transpiler
    .scanImports(text)
    .map(({ path }) => (path.startsWith('.') ? join(dirname(file), path) : path))
    .filter((path) => path.startsWith('packages/recto/src/') && path !== 'packages/recto/src/index.ts')
    .filter((path) => !path.endsWith('.fixture.ts'));
}
