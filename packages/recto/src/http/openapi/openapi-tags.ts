/** What the tags of the product's own operations stand for. */
const descriptions: Readonly<Record<string, string>> = {
  auth: 'Registering, signing in and out, and the account that is signed in.',
  users: 'The accounts, for admins.',
  'api-tokens': 'Access tokens for programs, for admins.',
  'content-types': 'The content types themselves, for admins. What changes here is served at once.',
  roles: 'Roles of the installation’s own, for admins, and what the caller may do.',
  webhooks: 'Places that are sent changes of records, for admins.',
  'admin-views': 'What people keep of the lists of the admin: saved views, and preferences of their own.',
  calendar: 'What happens when.',
  jobs: 'Background work: what waits, runs and has run.',
  mail: 'Mails that the service sends, for admins.',
  events: 'What has changed.',
  agents: 'Tools for agents.',
  custom: 'Routes of this deployment.',
  service: 'The state of the service, and this document.',
};

interface Described {
  readonly name: string;
  readonly plural: string;
  readonly description: string | undefined;
}

/** The description of each tag: the product's own, and one for each content type. */
export function tagDescriptions(types: readonly Described[]): (tag: string) => string | undefined {
  const ofTypes = types.map(({ name, plural, description }) => [name, description ?? `The ${plural}.`] as const);
  const all = new Map<string, string>([...ofTypes, ...Object.entries(descriptions)]);
  return (tag) => all.get(tag);
}
