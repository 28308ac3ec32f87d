/** The modules of `packages/recto/src`, from the ground up. A module imports only modules of lower floors, types included. */
export const floors: readonly Readonly<Record<string, string>>[] = [
  { base: 'problems, ids, logging, callers, values bound to statements, the terminal' },
  { config: 'settings', values: 'the kinds of values' },
  { conversion: 'content type files of other systems, as Recto writes them', rules: 'the rule language' },
  { definition: 'what a type is: field types, protocols, loading and checking; reads files, and does no other I/O' },
  { query: 'list parameters' },
  {
    database: 'SQLite and PostgreSQL behind one dialect, engine tables, search',
    storage: 'files on disk or S3',
  },
  { migrations: 'the tables that types need, and changes of them with stored data' },
  { records: 'list, get, create, update, delete on any type: access, plans, cache, transactions' },
  { events: 'the event log and its readers', jobs: 'background work: leased rows, run by any process' },
  { mail: 'transports, templates and the outbox of mails' },
  {
    'admin-views': 'saved views of lists, and preferences of each person',
    auth: 'accounts, sessions, tokens',
    builtin: 'the types that ship with the product',
    'content-types': 'the types that are served, of files and of the database',
    media: 'images and other files',
    notes: 'what people write beside records',
    presence: 'who has which record open',
    releases: 'changes of records that are published together',
    webhooks: 'calls to other services',
    hooks: 'code of a deployment',
  },
  {
    notifications: 'what concerns people of what has changed',
    previews: 'public reads of what is not published yet, for who has a token',
  },
  { transfer: 'moving content in and out' },
  { http: 'the framework of the API: routes, bodies, responses, the OpenAPI document, metrics' },
  { features: 'the features of the product, a folder each: types, endpoints, background jobs' },
  {
    service: '`createRecto`: features composed into a running service, with workers',
    typegen: 'TypeScript types of the content',
  },
  { cli: 'commands: they read arguments, call the service and print' },
];

/**
 * Files that may import every module: what the package exports, and the programs in which files of a deployment import it by its
 * name. No other file imports these.
 */
export const rootFiles: readonly string[] = ['index.ts', 'cli/main.ts', 'hooks/hook-thread.worker.ts'];

/** The rooms of `packages/recto/src/records`, in the same way. `.` has the files that are in none. */
export const recordRooms: readonly Readonly<Record<string, string>>[] = [
  { plans: 'compiled statements and their parts; who may see which rows' },
  {
    answers: 'texts that are returned: entity tags, size limits, cache, cursors',
    idempotency: 'kept replies to repeated requests',
  },
  { select: 'the JSON of records inside a statement, with the records that they include' },
  { statements: 'the statements that write rows, links and search words' },
  { list: 'pages of records and their totals' },
  {
    aggregates: 'counts and sums over a list',
    read: 'one record, its uses, the tree around it, the records it refers to',
  },
  { checks: 'payloads, and the checks that need stored records' },
  { revisions: 'versions of records' },
  { write: 'create, update, delete, restore' },
  { drafts: 'changes that are kept with a record until they are published' },
  { projected: 'records as publishing would make them, for reads that change nothing' },
  { '.': '`Records`, which offers all of this; records that are brought in from elsewhere' },
  {
    batch: 'changes of many records, and those that are due at a time',
    copies: 'copies of a record with what belongs to it',
    times: 'records as they will stand at a time',
  },
];
