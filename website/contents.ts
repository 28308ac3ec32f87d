/** A page of `docs/` by its path there, with the words that lead to it. */
export interface Entry {
  readonly text: string;
  readonly page: string;
}

export interface Group {
  readonly text: string;
  readonly items: readonly Entry[];
}

const entry = (text: string, page: string): Entry => ({ text, page });

/** The pages of the site, in their order. `prepare.ts` checks that no page of `docs/` is left out. */
export const contents: readonly Group[] = [
  {
    text: 'Begin',
    items: [
      entry('Getting started', 'getting-started'),
      entry('A tour of the API', 'tour'),
      entry('Coming from PocketBase', 'coming-from-pocketbase'),
      entry('Coming from Contentful', 'coming-from-contentful'),
      entry('Coming from Directus', 'coming-from-directus'),
      entry('Coming from Ghost', 'coming-from-ghost'),
      entry('Coming from Strapi', 'coming-from-strapi'),
      entry('Coming from RaisFast', 'coming-from-raisfast'),
      entry('Moving from WordPress', 'moving-from-wordpress'),
    ],
  },
  {
    text: 'Content types',
    items: [
      entry('Content types', 'content-types'),
      entry('Structured fields', 'structured-fields'),
      entry('Rules', 'rules'),
      entry('Changing types', 'changing-types'),
      entry('Types through the API', 'content-types-api'),
    ],
  },
  {
    text: 'Protocols',
    items: [
      entry('All protocols', 'protocols/README'),
      ...[
        ...['timestampable', 'ownable', 'lockable', 'metaable', 'soft_deletable', 'statusable', 'expirable'],
        ...['sortable', 'nestable', 'tenantable', 'versionable', 'assignable'],
      ].map((name) => entry(name, `protocols/${name}`)),
    ],
  },
  {
    text: 'The API',
    items: [
      entry('REST API', 'rest-api'),
      entry('Filters', 'filters'),
      entry('Languages', 'languages'),
      entry('Search', 'search'),
      entry('Aggregates', 'aggregates'),
      entry('Posts and pages', 'posts-and-pages'),
      entry('Comments', 'comments'),
      entry('Media', 'media'),
      entry('Caching', 'caching'),
      entry('Events', 'events'),
      entry('Webhooks', 'webhooks'),
      entry('Agents', 'agents'),
    ],
  },
  {
    text: 'Accounts and sign-in',
    items: [
      entry('Accounts', 'accounts'),
      entry('Roles of your own', 'roles'),
      entry('Second factors', 'sign-in/second-factors'),
      entry('Passkeys', 'sign-in/passkeys'),
      entry('Recent proof', 'sign-in/step-up'),
      entry('Signing in with a provider', 'sign-in/providers'),
      entry('With Google', 'sign-in/google'),
      entry('With Microsoft Entra', 'sign-in/entra'),
      entry('With GitHub', 'sign-in/github'),
      entry('With Keycloak', 'sign-in/keycloak'),
    ],
  },
  {
    text: 'The admin',
    items: [
      entry('The admin', 'admin'),
      entry('Writing', 'writing'),
      entry('Releases', 'releases'),
      entry('Previews', 'preview'),
      entry('The calendar', 'calendar'),
      entry('Notes', 'notes'),
      entry('Notifications', 'notifications'),
      entry('Saved views', 'admin-views'),
      entry('The media library', 'admin-media'),
    ],
  },
  {
    text: 'In your program',
    items: [
      entry('The client', 'client'),
      entry('React', 'client/react'),
      entry('Next.js', 'client/next'),
      entry('Svelte', 'client/svelte'),
      entry('Vue', 'client/vue'),
      entry('Astro', 'client/astro'),
      entry('Hooks, routes and jobs', 'hooks'),
      entry('Embedding', 'embedding'),
    ],
  },
  {
    text: 'Running it',
    items: [
      entry('Deploying', 'deploying'),
      entry('Settings', 'settings'),
      entry('Command line', 'command-line'),
      entry('Operations', 'operations'),
      entry('Mail', 'mail'),
      entry('Background jobs', 'jobs'),
      entry('Scaling', 'scaling'),
      entry('Backup and transfer', 'backup-and-transfer'),
      entry('CSV', 'csv'),
      entry('Security', 'security'),
      entry('Versions and support', 'support'),
    ],
  },
  {
    text: 'The project',
    items: [
      entry('Performance', 'performance'),
      entry('Architecture', 'architecture'),
      entry('Dependencies', 'dependencies'),
      entry('Contributing', 'contributing'),
      entry('Changelog', 'changelog'),
    ],
  },
];

/** Where a page is on the site: `protocols/README` is the first one of its folder. */
export const addressOf = (page: string): string => page.replace(/(?:^|\/)README$/, (end) => `${end.slice(0, -6)}index`);
