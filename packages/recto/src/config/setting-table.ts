import { authProviders, authSecrets } from './auth-provider-setting.ts';
import { languageFallbacks, languageList, languageUrls } from './language-setting.ts';
import { accountPage, mailSender, mailUrl, ownOrigin } from './mail-setting-type.ts';
import { builtInPresets, mediaPresets } from './media-presets.ts';
import { returnTargets } from './return-to-setting.ts';
import {
  byteSize,
  databaseUrl,
  describeBytes,
  emailAddress,
  hostName,
  mediaTypeList,
  namedOrigins,
  oneOf,
  onOrOff,
  originList,
  path,
  postgresAddress,
  postgresAddresses,
  proxyTrust,
  type SettingType,
  siteName,
  storageUrl,
  targetList,
  textOfAtLeast,
  webAddress,
  wholeNumber,
  workerCount,
} from './setting-type.ts';

/** One setting, with everything that parsing, `--help` and the documentation need. */
export interface Setting<T> {
  readonly type: SettingType<T>;
  readonly default: T;
  /** The default as it is shown; the empty string means that there is none. */
  readonly defaultText: string;
  readonly doc: string;
  /** The value is never repeated in a message. */
  readonly secret: boolean;
}

function setting<T>(type: SettingType<T>, fallback: T, doc: string, defaultText = String(fallback)): Setting<T> {
  return { type, default: fallback, defaultText, doc, secret: false };
}

function optional<T>(type: SettingType<T>, doc: string, defaultText = ''): Setting<T | undefined> {
  return { type, default: undefined, defaultText, doc, secret: false };
}

function secret<T>(type: SettingType<T>, doc: string, defaultText = ''): Setting<T | undefined> {
  return { type, default: undefined, defaultText, doc, secret: true };
}

function secretTable<T>(type: SettingType<T>, fallback: T, doc: string, defaultText: string): Setting<T> {
  return { type, default: fallback, defaultText, doc, secret: true };
}

function secretList<T>(type: SettingType<readonly T[]>, doc: string, defaultText: string): Setting<readonly T[]> {
  return { type, default: [], defaultText, doc, secret: true };
}

const bytes = (least: number, most: number, fallback: number, doc: string): Setting<number> =>
  setting(byteSize(least, most), fallback, doc, describeBytes(fallback));

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const gibibyte = 1024 * mebibyte;

/** Every setting, by the name of its property in `Settings`; `cmsCacheTtlSecs` is `RECTO_CMS_CACHE_TTL_SECS` and, in `recto.toml`, `cms_cache_ttl_secs`. */
export const settingTable = {
  host: setting(hostName, '127.0.0.1', 'The address to listen on; 0.0.0.0 for every interface.'),
  port: setting(wholeNumber(0, 65_535), 9898, 'The port to listen on; 0 for any free port.'),
  dataDir: setting(path, 'data/', 'The folder for the database and the generated secret.'),
  contentTypesDir: setting(path, 'content-types/', 'The folder with the content type definitions.'),
  rolesDir: setting(path, 'roles/', "The folder with the installation's own roles."),
  languages: setting(
    languageList,
    [],
    'The languages that content is written in, the default first; definitions say which fields are localized.',
    'one that has no name',
  ),
  languageFallbacks: setting(
    languageFallbacks,
    {},
    'For languages other than the default: the languages whose values stand in for missing ones.',
    'the default language for each',
  ),
  languageUrls: setting(
    languageUrls,
    {},
    'What the addresses of the site begin with in each language, in alternates and sitemaps. The default language without one: RECTO_PUBLIC_URL.',
    'none',
  ),
  hooksDir: setting(path, 'hooks/', 'The folder with the hooks of content types.'),
  routesDir: optional(path, 'The folder with routes of your own.', 'routes/ beside the hooks folder'),
  jobsDir: optional(path, 'The folder with scheduled jobs of your own.', 'jobs/ beside the hooks folder'),
  publicDir: optional(path, 'The folder with files of a site that are served beside the API.', 'none'),
  databaseUrl: secret(databaseUrl, 'The address of the database.', 'SQLite, recto.db in the data folder'),
  databaseListenUrl: secret(
    postgresAddress,
    'A direct address of the PostgreSQL database, by which changes of other machines are looked for, if RECTO_DATABASE_URL leads to a pooler in transaction mode.',
    'RECTO_DATABASE_URL',
  ),
  databaseReplicaUrls: secretList(
    postgresAddresses,
    'Standbys of the PostgreSQL database for reading lists and records, used for data that they have already received.',
    'none',
  ),
  databasePool: setting(
    wholeNumber(2, 1_000),
    20,
    'The maximum number of connections to a PostgreSQL database, divided among the workers, with at least 2 for each; each worker has one more that looks for changes.',
  ),
  storageUrl: optional(
    storageUrl,
    'Where the files of media are kept; keys for S3 are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    'media/ in the data folder',
  ),
  mediaMaxFile: bytes(kibibyte, 1024 * gibibyte, gibibyte, 'The maximum size of an uploaded file; more gets 413.'),
  importMaxFile: bytes(kibibyte, 1024 * gibibyte, gibibyte, 'The maximum size of a file to import; more gets 413.'),
  mediaTypes: setting(
    mediaTypeList,
    [],
    'The media types that may be uploaded, such as image/* and application/pdf; any other gets 415.',
    'all',
  ),
  mediaFetchAllow: setting(
    targetList,
    [],
    'Addresses, networks and host names that pictures may be fetched from although they are not public, each with an optional port.',
    'none',
  ),
  mediaPresets: setting(
    mediaPresets,
    builtInPresets,
    'The sizes and formats in which images are served, in addition to thumb and preview.',
    'none',
  ),
  workers: setting(
    workerCount,
    'auto',
    'The number of worker processes on one port; auto is the number of cores on Linux, and 1 elsewhere.',
  ),
  cmsCacheTtlSecs: setting(
    wholeNumber(0, 86_400),
    30,
    'How long responses of endpoints with cache = true are cached, in seconds; 0 disables the cache.',
  ),
  cacheBytes: bytes(64 * kibibyte, 64 * gibibyte, 64 * mebibyte, 'The maximum memory for cached responses.'),
  cmsMaxPageSize: setting(
    wholeNumber(1, 10_000),
    100,
    'The maximum number of items on a page of a list; larger values are capped.',
  ),
  exactTotals: setting(
    wholeNumber(0, 1_000_000_000),
    100_000,
    'Totals of lists up to this are always exact; greater ones may be estimates for a moment after a write.',
  ),
  maxIncluded: setting(
    wholeNumber(0, 1_000_000),
    10_000,
    'The maximum number of records that include and replies add to one response; more gets 400.',
  ),
  maxAnswer: bytes(
    16 * kibibyte,
    gibibyte,
    16 * mebibyte,
    'The maximum size of a response with records; more gets 400.',
  ),
  maxBody: bytes(kibibyte, gibibyte, mebibyte, 'The maximum size of a request body; more gets 413.'),
  requestTimeoutSecs: setting(
    wholeNumber(1, 86_400),
    60,
    'How long a request body may take to arrive, in seconds; a slower one gets 408.',
  ),
  writeTimeoutSecs: setting(
    wholeNumber(1, 3_600),
    5,
    'How long a write waits for others in its way, in seconds; then it gets 503.',
  ),
  stopTimeoutSecs: setting(
    wholeNumber(1, 3_600),
    4,
    'How long running requests may take to finish when the service stops, in seconds; then their connections are closed.',
  ),
  logLevel: setting(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'The lowest level that is logged.',
  ),
  rateLimit: setting(onOrOff, true, 'Whether sign-ins and other costly requests are rate limited.', 'on'),
  registration: setting(oneOf('open', 'closed'), 'open', 'Whether anyone may register an account.'),
  commentsAutoApprove: setting(
    oneOf('none', 'members', 'all'),
    'none',
    'Whose comments are approved automatically: nobody’s, those of signed-in callers, or everyone’s.',
  ),
  mcp: setting(
    oneOf('off', 'read', 'drafts', 'publish'),
    'off',
    'What agents may do by the Model Context Protocol at /mcp: nothing, read, write drafts as well, or publish them as well.',
  ),
  corsOrigins: setting(originList, [], 'The origins whose pages may call the service from a browser.', 'none'),
  trustedProxies: setting(
    proxyTrust,
    [],
    'The proxies in front of the service whose X-Forwarded-For, -Proto and -Host are trusted.',
    'none',
  ),
  publicUrl: optional(
    webAddress,
    'The address of the site that shows the content: sitemaps and feeds link to its /pages/{slug} and /posts/{slug}.',
    'this service’s own addresses',
  ),
  webhooksAllow: setting(
    targetList,
    [],
    'Addresses, networks and host names that webhooks, and recto import wordpress --fetch, may lead to although they are not public, each with an optional port.',
    'none',
  ),
  eventsKeepDays: setting(
    wholeNumber(1, 36_500),
    90,
    'How long the log of changes is kept, in days; up to twice as long for a reader that is behind.',
  ),
  eventsMaxStreams: setting(
    wholeNumber(1, 1_000_000),
    20_000,
    'How many streams of changes may be open in each process; more get 503.',
  ),
  eventsMaxStreamsPerCaller: setting(
    wholeNumber(1, 1_000_000),
    200,
    'How many of them one account or API token, or the address of anonymous callers, may have open in each process; more get 429.',
  ),
  siteName: setting(siteName, 'Recto', 'The name of the site, as the admin shows it.'),
  url: optional(
    ownOrigin,
    'The origin that people reach this service by: links in mails begin with it. Required with RECTO_MAIL_URL.',
    'none',
  ),
  mailUrl: secret(
    mailUrl,
    'Where mails go: to a mail server, into a folder, or (log:) into the memory of the process, for the admin’s inbox.',
    'none: no mail is sent; log: in recto dev',
  ),
  mailFrom: optional(mailSender, 'Whom mails are from. Required with RECTO_MAIL_URL.', 'none'),
  mailsDir: setting(path, 'mails/', 'The folder with templates of mails that replace the built-in ones.'),
  accountUrl: optional(
    accountPage,
    'The page of your site that links in mails lead to, with {action} and {token} in the part after #; without, a page of the service.',
    '/account/{action}#{token} of RECTO_URL',
  ),
  verifyEmail: setting(
    oneOf('off', 'on', 'required'),
    'off',
    'Whether new accounts are mailed a link that confirms their address; required: they can sign in only after that. Needs RECTO_MAIL_URL.',
  ),
  signInCodes: setting(
    oneOf('off', 'members', 'all'),
    'off',
    'Who may sign in with a code that is mailed to them: nobody, members, or everyone. Needs RECTO_MAIL_URL.',
  ),
  authProviders: secretTable(authProviders, {}, 'The providers that people sign in with; needs RECTO_URL.', 'none'),
  authSecrets: secretTable(
    authSecrets,
    {},
    'The client secrets of the providers; RECTO_AUTH_{NAME}_SECRET is that of one.',
    'none',
  ),
  authReturnTo: setting(
    returnTargets,
    [],
    'The pages of your site that a sign-in by a provider may lead back to.',
    'none',
  ),
  passwordSignIn: setting(
    oneOf('on', 'members', 'off'),
    'on',
    'Who may sign in with a password: everyone, members alone, or nobody.',
  ),
  requireSecondFactor: setting(
    oneOf('off', 'admins', 'editors', 'all'),
    'off',
    'Whose accounts must have a second factor: nobody’s, those of admins, of editors and admins, or all.',
  ),
  secondFactorGraceDays: setting(
    wholeNumber(0, 3_650),
    0,
    'How many days an account that must have a second factor may do without, from when it was first asked for one.',
  ),
  passkeyOrigins: setting(
    namedOrigins,
    [],
    'Further origins whose pages may use the passkeys of the host of RECTO_URL. Needs RECTO_URL.',
    'none',
  ),
  mailPerHour: setting(
    wholeNumber(1, 10_000_000),
    1_000,
    'The maximum number of mails an hour, on one machine; further ones wait.',
  ),
  admin: setting(onOrOff, true, 'Whether the service has its admin at /admin.', 'on'),
  metrics: setting(onOrOff, true, 'Whether GET /metrics responds (to anyone who can reach the port).', 'on'),
  secret: secret(
    textOfAtLeast(32),
    'The key that signs tokens; set it if several machines share accounts.',
    'generated',
  ),
  adminEmail: optional(
    emailAddress,
    'The e-mail address of the first admin, with RECTO_ADMIN_PASSWORD.',
    'admin@recto.local',
  ),
  adminPassword: secret(textOfAtLeast(8), 'The password of the first admin, with RECTO_ADMIN_EMAIL.', 'generated'),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

export type SettingKey = keyof typeof settingTable;

/** All settings, read and checked. Paths are as written: relative ones are relative to the working folder. */
export type Settings = { readonly [Key in SettingKey]: (typeof settingTable)[Key]['default'] } & {
  /** Where the settings that have no default value come from. */
  readonly given: GivenValues;
};

/** Where a setting's value comes from: `program` passed it to `createRecto`. */
export const settingSources = ['default', 'environment', 'file', 'command_line', 'program'] as const;
export type SettingSource = (typeof settingSources)[number];

/** A setting that was given. */
export interface GivenValue {
  readonly source: Exclude<SettingSource, 'default'>;
  /** The value as it was written; absent: it is secret. */
  readonly text?: string;
}

export type GivenValues = { readonly [Key in SettingKey]?: GivenValue };

/** The setting's key in `recto.toml`: `cms_cache_ttl_secs`. */
export const fileName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The setting's environment variable: `RECTO_CMS_CACHE_TTL_SECS`. */
export const environmentName = (key: string): string => `RECTO_${fileName(key).toUpperCase()}`;

// `Object.keys` is typed as strings; the table's keys are exactly `SettingKey`.
export const settingKeys = Object.keys(settingTable) as readonly SettingKey[];

/** The settings as lines for `--help`, one paragraph each. */
export function describeSettings(): string {
  return settingKeys
    .map((key) => {
      const { doc, defaultText, type }: Setting<unknown> = settingTable[key];
      const fallback = defaultText === '' ? '' : `; default ${defaultText}`;
      return `  ${environmentName(key)}  ${type.expects}${fallback}\n      ${doc}`;
    })
    .join('\n');
}
