import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FatalError } from '../base/fatal-error.ts';
import { describeSettings, environmentName, type Settings, settingKeys } from './setting-table.ts';
import { databaseLocation, readSettings } from './settings.ts';
import { settingsInForce } from './settings-in-force.ts';

const folder = mkdtempSync(join(tmpdir(), 'recto-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(text: string): string {
  const file = join(folder, `${++files}.toml`);
  writeFileSync(file, text);
  return file;
}

function refusal(environment: Record<string, string>, file?: string): string {
  try {
    readSettings(environment, file);
  } catch (error) {
    if (error instanceof FatalError) return error.message;
    throw error;
  }
  throw new Error('the settings were accepted');
}

const password = 'correct horse';
const longSecret = 'abcdefghijklmnopqrstuvwxyz0123456789';

test('an empty environment gives the defaults', () => {
  expect(readSettings({})).toEqual({
    host: '127.0.0.1',
    port: 9898,
    dataDir: 'data/',
    contentTypesDir: 'content-types/',
    rolesDir: 'roles/',
    languages: [],
    languageFallbacks: {},
    languageUrls: {},
    hooksDir: 'hooks/',
    routesDir: undefined,
    jobsDir: undefined,
    publicDir: undefined,
    databaseUrl: undefined,
    databaseListenUrl: undefined,
    databaseReplicaUrls: [],
    databasePool: 20,
    storageUrl: undefined,
    mediaMaxFile: 1_073_741_824,
    importMaxFile: 1_073_741_824,
    mediaTypes: [],
    mediaFetchAllow: [],
    mediaPresets: {
      thumb: { width: 256, height: 256, fit: 'inside', format: 'auto' },
      preview: { width: 1280, height: 1280, fit: 'inside', format: 'auto' },
    },
    workers: 'auto',
    cmsCacheTtlSecs: 30,
    cacheBytes: 67_108_864,
    cmsMaxPageSize: 100,
    exactTotals: 100_000,
    maxIncluded: 10_000,
    maxAnswer: 16_777_216,
    maxBody: 1_048_576,
    requestTimeoutSecs: 60,
    writeTimeoutSecs: 5,
    stopTimeoutSecs: 4,
    logLevel: 'info',
    rateLimit: true,
    registration: 'open',
    commentsAutoApprove: 'none',
    mcp: 'off',
    corsOrigins: [],
    trustedProxies: [],
    publicUrl: undefined,
    webhooksAllow: [],
    eventsKeepDays: 90,
    eventsMaxStreams: 20_000,
    eventsMaxStreamsPerCaller: 200,
    siteName: 'Recto',
    url: undefined,
    mailUrl: undefined,
    mailFrom: undefined,
    mailsDir: 'mails/',
    accountUrl: undefined,
    verifyEmail: 'off',
    signInCodes: 'off',
    authProviders: {},
    authSecrets: {},
    authReturnTo: [],
    passwordSignIn: 'on',
    requireSecondFactor: 'off',
    secondFactorGraceDays: 0,
    passkeyOrigins: [],
    mailPerHour: 1_000,
    admin: true,
    metrics: true,
    secret: undefined,
    adminEmail: undefined,
    adminPassword: undefined,
    given: {},
  });
});

const accepted: readonly [name: string, text: string, expected: Partial<Settings>][] = [
  ['RECTO_HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['RECTO_HOST', '::1', { host: '::1' }],
  ['RECTO_HOST', 'cms.example.com', { host: 'cms.example.com' }],
  ['RECTO_PORT', '0', { port: 0 }],
  ['RECTO_PORT', '65535', { port: 65_535 }],
  ['RECTO_DATA_DIR', '/var/lib/recto', { dataDir: '/var/lib/recto' }],
  ['RECTO_PUBLIC_DIR', '/srv/site', { publicDir: '/srv/site' }],
  ['RECTO_CONTENT_TYPES_DIR', 'types', { contentTypesDir: 'types' }],
  ['RECTO_DATABASE_URL', 'sqlite:other.db', { databaseUrl: { kind: 'sqlite', path: 'other.db' } }],
  ['RECTO_DATABASE_URL', 'sqlite:///srv/a.db', { databaseUrl: { kind: 'sqlite', path: '/srv/a.db' } }],
  ['RECTO_DATABASE_URL', 'postgres://u:p%40@h/d', { databaseUrl: { kind: 'postgres', url: 'postgres://u:p%40@h/d' } }],
  [
    'RECTO_DATABASE_URL',
    'postgresql://u@localhost/d?host=/run',
    { databaseUrl: { kind: 'postgres', url: 'postgresql://u@localhost/d?host=/run' } },
  ],
  ['RECTO_STORAGE_URL', 'file:files', { storageUrl: { kind: 'file', path: 'files' } }],
  ['RECTO_STORAGE_URL', 'file:///srv/files', { storageUrl: { kind: 'file', path: '/srv/files' } }],
  ['RECTO_STORAGE_URL', 's3://b-1', { storageUrl: { kind: 's3', bucket: 'b-1', prefix: '', virtualHosted: false } }],
  [
    'RECTO_STORAGE_URL',
    's3://files/some/place/?endpoint=https://s3.example.com/&region=eu-1&style=host',
    {
      storageUrl: {
        kind: 's3',
        bucket: 'files',
        prefix: 'some/place/',
        endpoint: 'https://s3.example.com',
        region: 'eu-1',
        virtualHosted: true,
      },
    },
  ],
  ['RECTO_MEDIA_MAX_FILE', '2GiB', { mediaMaxFile: 2_147_483_648 }],
  ['RECTO_IMPORT_MAX_FILE', '2GiB', { importMaxFile: 2_147_483_648 }],
  ['RECTO_MEDIA_TYPES', 'image/*, application/PDF', { mediaTypes: ['image/*', 'application/pdf'] }],
  ['RECTO_DATABASE_LISTEN_URL', 'postgres://h/d', { databaseListenUrl: 'postgres://h/d' }],
  ['RECTO_DATABASE_REPLICA_URLS', '', { databaseReplicaUrls: [] }],
  ['RECTO_WORKERS', '1', { workers: 1 }],
  ['RECTO_WORKERS', 'auto', { workers: 'auto' }],
  ['RECTO_CMS_CACHE_TTL_SECS', '0', { cmsCacheTtlSecs: 0 }],
  ['RECTO_CMS_CACHE_TTL_SECS', '86400', { cmsCacheTtlSecs: 86_400 }],
  ['RECTO_CACHE_BYTES', '65536', { cacheBytes: 65_536 }],
  ['RECTO_CACHE_BYTES', '64MiB', { cacheBytes: 67_108_864 }],
  ['RECTO_CACHE_BYTES', '64 mb', { cacheBytes: 64_000_000 }],
  ['RECTO_CACHE_BYTES', '1.5GiB', { cacheBytes: 1_610_612_736 }],
  ['RECTO_CMS_MAX_PAGE_SIZE', '1', { cmsMaxPageSize: 1 }],
  ['RECTO_MAX_INCLUDED', '0', { maxIncluded: 0 }],
  ['RECTO_MAX_ANSWER', '32MiB', { maxAnswer: 33_554_432 }],
  ['RECTO_MAX_BODY', '16KiB', { maxBody: 16_384 }],
  ['RECTO_REQUEST_TIMEOUT_SECS', '120', { requestTimeoutSecs: 120 }],
  ['RECTO_WRITE_TIMEOUT_SECS', '20', { writeTimeoutSecs: 20 }],
  ['RECTO_STOP_TIMEOUT_SECS', '30', { stopTimeoutSecs: 30 }],
  ['RECTO_LOG_LEVEL', 'Debug', { logLevel: 'debug' }],
  ['RECTO_RATE_LIMIT', 'off', { rateLimit: false }],
  ['RECTO_RATE_LIMIT', 'ON', { rateLimit: true }],
  ['RECTO_REGISTRATION', 'closed', { registration: 'closed' }],
  ['RECTO_COMMENTS_AUTO_APPROVE', 'Members', { commentsAutoApprove: 'members' }],
  ['RECTO_COMMENTS_AUTO_APPROVE', 'all', { commentsAutoApprove: 'all' }],
  ['RECTO_CORS_ORIGINS', '', { corsOrigins: [] }],
  ['RECTO_CORS_ORIGINS', '*', { corsOrigins: ['*'] }],
  [
    'RECTO_CORS_ORIGINS',
    'https://a.example, http://localhost:3000',
    { corsOrigins: ['https://a.example', 'http://localhost:3000'] },
  ],
  ['RECTO_TRUSTED_PROXIES', '', { trustedProxies: [] }],
  ['RECTO_TRUSTED_PROXIES', '2', { trustedProxies: 2 }],
  [
    'RECTO_TRUSTED_PROXIES',
    '127.0.0.1, 10.0.0.0/8,::1,2001:db8::/32',
    {
      trustedProxies: [
        { address: '127.0.0.1', prefix: 32 },
        { address: '10.0.0.0', prefix: 8 },
        { address: '::1', prefix: 128 },
        { address: '2001:db8::', prefix: 32 },
      ],
    },
  ],
  ['RECTO_MEDIA_FETCH_ALLOW', '', { mediaFetchAllow: [] }],
  ['RECTO_WEBHOOKS_ALLOW', '', { webhooksAllow: [] }],
  [
    'RECTO_WEBHOOKS_ALLOW',
    '10.0.0.0/8, 192.168.1.5:8080, [::1]:9000, fd00::/8, Hooks.Local, hooks.local:81',
    {
      webhooksAllow: [
        { kind: 'network', address: '10.0.0.0', prefix: 8, port: null },
        { kind: 'network', address: '192.168.1.5', prefix: 32, port: 8080 },
        { kind: 'network', address: '::1', prefix: 128, port: 9000 },
        { kind: 'network', address: 'fd00::', prefix: 8, port: null },
        { kind: 'host', name: 'hooks.local', port: null },
        { kind: 'host', name: 'hooks.local', port: 81 },
      ],
    },
  ],
  ['RECTO_PUBLIC_URL', 'https://example.com/', { publicUrl: 'https://example.com' }],
  ['RECTO_PUBLIC_URL', 'http://localhost:3000/blog', { publicUrl: 'http://localhost:3000/blog' }],
  ['RECTO_EVENTS_KEEP_DAYS', '7', { eventsKeepDays: 7 }],
  ['RECTO_ADMIN', 'off', { admin: false }],
  ['RECTO_METRICS', 'off', { metrics: false }],
  ['RECTO_SECRET', longSecret, { secret: longSecret }],
  ['RECTO_TEST_ANYTHING', 'x', {}],
];

describe('accepted', () => {
  test.each(accepted)('%s=%s', (name, text, expected) => {
    expect(readSettings({ [name]: text })).toMatchObject(expected);
  });

  test('the first admin', () => {
    const settings = readSettings({ RECTO_ADMIN_EMAIL: 'ada@example.com', RECTO_ADMIN_PASSWORD: password });
    expect(settings).toMatchObject({ adminEmail: 'ada@example.com', adminPassword: password });
  });
});

const refused: readonly [name: string, text: string, says: string][] = [
  ['RECTO_HOST', 'a b', 'RECTO_HOST is "a b": it must be an address or a host name'],
  ['RECTO_HOST', '', 'RECTO_HOST is empty'],
  ['RECTO_PORT', '', 'RECTO_PORT is empty: it must be a whole number from 0 to 65535, or left out'],
  ['RECTO_PORT', '65536', 'RECTO_PORT is "65536": it must be a whole number from 0 to 65535'],
  ['RECTO_PORT', '-1', 'a whole number'],
  ['RECTO_PORT', '80.5', 'a whole number'],
  ['RECTO_PORT', '0x50', 'a whole number'],
  ['RECTO_DATA_DIR', '', 'RECTO_DATA_DIR is empty'],
  ['RECTO_PUBLIC_DIR', '', 'RECTO_PUBLIC_DIR is empty'],
  [
    'RECTO_PUBLIC_URL',
    'example.com',
    'RECTO_PUBLIC_URL is "example.com": it must be an address such as https://example.com',
  ],
  ['RECTO_PUBLIC_URL', 'ftp://example.com', 'an address'],
  ['RECTO_PUBLIC_URL', 'https://example.com/?page=1', 'an address'],
  ['RECTO_PUBLIC_URL', 'https://ada:secret@example.com', 'an address'],
  ['RECTO_TRUSTED_PROXIES', '0', '("0" is neither)'],
  ['RECTO_TRUSTED_PROXIES', '10', '("10" is neither)'],
  ['RECTO_TRUSTED_PROXIES', '10.0.0.0/8, nginx', '("nginx" is neither)'],
  ['RECTO_TRUSTED_PROXIES', '10.0.0.0/33', '("10.0.0.0/33" is neither)'],
  ['RECTO_TRUSTED_PROXIES', '::/129', '("::/129" is neither)'],
  ['RECTO_TRUSTED_PROXIES', '10.0.0/8', 'a list of addresses or networks'],
  ['RECTO_TRUSTED_PROXIES', '10.0.0.0/', 'a list of addresses or networks'],
  ['RECTO_TRUSTED_PROXIES', 'fe80::1%eth0', 'a list of addresses or networks'],
  ['RECTO_MEDIA_FETCH_ALLOW', '10.0.0.0/33', '("10.0.0.0/33" is none of these)'],
  ['RECTO_WEBHOOKS_ALLOW', '10.0.0.0/8, a b', '("a b" is none of these)'],
  ['RECTO_WEBHOOKS_ALLOW', '10.0.0.0/33', '("10.0.0.0/33" is none of these)'],
  ['RECTO_WEBHOOKS_ALLOW', 'hooks.local:70000', 'is none of these'],
  ['RECTO_WEBHOOKS_ALLOW', '10.0.0', 'is none of these'],
  ['RECTO_CONTENT_TYPES_DIR', '', 'RECTO_CONTENT_TYPES_DIR is empty'],
  ['RECTO_ROLES_DIR', '', 'RECTO_ROLES_DIR is empty'],
  ['RECTO_HOOKS_DIR', '', 'RECTO_HOOKS_DIR is empty'],
  ['RECTO_ROUTES_DIR', '', 'RECTO_ROUTES_DIR is empty'],
  ['RECTO_JOBS_DIR', '', 'RECTO_JOBS_DIR is empty'],
  ['RECTO_DATABASE_URL', 'mysql://x', 'it must be sqlite:PATH'],
  ['RECTO_DATABASE_URL', 'sqlite:', 'it must be sqlite:PATH'],
  ['RECTO_DATABASE_URL', 'sqlite::memory:', 'with a file'],
  ['RECTO_DATABASE_URL', 'postgres://u:p@h:port/d', 'it must be postgres://USER:PASSWORD@HOST:PORT/NAME'],
  ['RECTO_DATABASE_URL', 'postgres://u:p@h', 'with the name of the database'],
  ['RECTO_STORAGE_URL', '/srv/files', 'file:PATH or s3://'],
  ['RECTO_STORAGE_URL', 's3://key:secret@files', 'without keys'],
  ['RECTO_STORAGE_URL', 's3://files?zone=1', 'its options are endpoint, region and style'],
  ['RECTO_STORAGE_URL', 's3://files?endpoint=s3.example.com', 'endpoint is an address'],
  ['RECTO_MEDIA_MAX_FILE', 'large', 'a size from 1KiB'],
  ['RECTO_IMPORT_MAX_FILE', '12', 'a size from 1KiB'],
  ['RECTO_MEDIA_TYPES', 'pictures', '"pictures" is none'],
  ['RECTO_LANGUAGES', 'en,the rest', '"the rest" is no language'],
  ['RECTO_LANGUAGE_URLS', '{"de": "/de"}', 'there must be an address'],
  ['RECTO_LANGUAGE_FALLBACKS', '[]', 'a JSON object'],
  ['RECTO_LANGUAGE_FALLBACKS', '{"de": "en"}', 'there must be a list of languages'],
  ['RECTO_MEDIA_PRESETS', 'card', 'a JSON object'],
  ['RECTO_MEDIA_PRESETS', '{"card": {}}', 'width or height is needed'],
  ['RECTO_MEDIA_PRESETS', '{"card": {"width": 9000}}', 'width is a whole number from 1 to 8192'],
  ['RECTO_MEDIA_PRESETS', '{"card": {"width": 9, "fit": "cover"}}', 'needs both width and height'],
  ['RECTO_MEDIA_PRESETS', '{"card": {"width": 9, "hight": 9}}', '"hight" is no option'],
  ['RECTO_MEDIA_PRESETS', '{"Card": {"width": 9}}', '"Card" is no name'],
  ['RECTO_DATABASE_LISTEN_URL', 'sqlite:other.db', 'it must be postgres://USER:PASSWORD@HOST:PORT/NAME'],
  ['RECTO_DATABASE_REPLICA_URLS', 'postgres://u@h/d, sqlite:x', 'each must be postgres://USER:PASSWORD@HOST:PORT/NAME'],
  ['RECTO_DATABASE_REPLICA_URLS', 'postgres://u@h/d', 'in RECTO_DATABASE_URL'],
  ['RECTO_DATABASE_POOL', '1', 'it must be a whole number from 2 to 1000'],
  ['RECTO_WRITE_TIMEOUT_SECS', '0', 'it must be a whole number from 1 to 3600'],
  ['RECTO_STOP_TIMEOUT_SECS', '0', 'it must be a whole number from 1 to 3600'],
  ['RECTO_WORKERS', '0', 'RECTO_WORKERS is "0": it must be a whole number from 1 to 1024, or auto'],
  ['RECTO_CMS_CACHE_TTL_SECS', '86401', 'from 0 to 86400'],
  ['RECTO_CACHE_BYTES', '1KiB', 'a size from 64KiB to 64GiB'],
  ['RECTO_CACHE_BYTES', '64 parsecs', 'a size from'],
  ['RECTO_CACHE_BYTES', '-64MiB', 'a size from'],
  ['RECTO_CMS_MAX_PAGE_SIZE', '0', 'from 1 to 10000'],
  ['RECTO_EXACT_TOTALS', '-1', 'from 0 to 1000000000'],
  ['RECTO_MAX_INCLUDED', '-1', 'from 0 to 1000000'],
  ['RECTO_MAX_ANSWER', '1KiB', 'a size from 16KiB to 1GiB'],
  ['RECTO_MAX_BODY', '2GiB', 'a size from 1KiB to 1GiB'],
  ['RECTO_REQUEST_TIMEOUT_SECS', '0', 'a whole number from 1 to 86400'],
  ['RECTO_LOG_LEVEL', 'loud', 'one of trace, debug, info, warn, error, fatal, silent'],
  ['RECTO_RATE_LIMIT', 'perhaps', 'on or off'],
  ['RECTO_REGISTRATION', 'ajar', 'one of open, closed'],
  ['RECTO_COMMENTS_AUTO_APPROVE', 'yes', 'one of none, members, all'],
  ['RECTO_MCP', 'on', 'one of off, read, drafts, publish'],
  ['RECTO_CORS_ORIGINS', 'https://a.example/path', '"https://a.example/path" is no origin'],
  ['RECTO_CORS_ORIGINS', 'a.example', '"a.example" is no origin'],
  ['RECTO_EVENTS_KEEP_DAYS', '0', 'a whole number from 1 to 36500'],
  ['RECTO_EVENTS_MAX_STREAMS', '0', 'a whole number from 1 to 1000000'],
  ['RECTO_EVENTS_MAX_STREAMS_PER_CALLER', '0', 'a whole number from 1 to 1000000'],
  ['RECTO_SITE_NAME', ' ', 'a name of at most 60 characters'],
  ['RECTO_URL', 'https://cms.example.com/admin', 'the origin that people reach the service by'],
  ['RECTO_URL', 'cms.example.com', 'the origin'],
  ['RECTO_MAIL_URL', 'mail.example.com', 'it must be log:, file:FOLDER, smtp://'],
  ['RECTO_MAIL_URL', 'smtp://mail.example.com?tls=perhaps', 'tls is required, preferred or none'],
  ['RECTO_MAIL_URL', 'smtp://mail.example.com?timeout=0', 'timeout is a number of seconds'],
  ['RECTO_MAIL_URL', 'smtp://mail.example.com?pool=no', '"pool" is no option'],
  ['RECTO_MAIL_URL', 'smtp://ada@mail.example.com', 'it must be log:'],
  ['RECTO_MAIL_URL', 'smtp://ada:%zz@mail.example.com', 'it must be log:'],
  ['RECTO_MAIL_URL', 'log:', 'RECTO_MAIL_URL needs RECTO_URL'],
  ['RECTO_MAIL_URL', 'log:', 'RECTO_MAIL_URL needs RECTO_MAIL_FROM'],
  ['RECTO_MAIL_FROM', 'Example', 'an email address, or a name with one'],
  ['RECTO_MAIL_FROM', 'Example <mail@example.com>, evil@example.com', 'an email address'],
  ['RECTO_MAIL_FROM', 'Ex\r\nBcc: evil@example.com <mail@example.com>', 'an email address'],
  ['RECTO_MAILS_DIR', '', 'RECTO_MAILS_DIR is empty'],
  ['RECTO_ACCOUNT_URL', 'https://example.com/account', 'an address with {token} behind #'],
  ['RECTO_ACCOUNT_URL', 'https://example.com/{token}', 'an address with {token} behind #'],
  ['RECTO_VERIFY_EMAIL', 'yes', 'one of off, on, required'],
  ['RECTO_VERIFY_EMAIL', 'on', 'RECTO_VERIFY_EMAIL needs RECTO_MAIL_URL'],
  ['RECTO_SIGN_IN_CODES', 'some', 'one of off, members, all'],
  ['RECTO_SIGN_IN_CODES', 'all', 'RECTO_SIGN_IN_CODES needs RECTO_MAIL_URL'],
  ['RECTO_AUTH_PROVIDERS', 'google', 'tables [auth.providers.NAME]'],
  ['RECTO_AUTH_SECRETS', 'hunter2', 'a JSON object of texts'],
  ['RECTO_AUTH_GOGLE_SECRET', 'hunter2', 'RECTO_AUTH_GOGLE_SECRET: there is no provider "gogle"'],
  ['RECTO_AUTH_GOOGLE_SECRET', '', 'RECTO_AUTH_GOOGLE_SECRET is empty'],
  ['RECTO_AUTH_RETURN_TO', 'example.com', 'a list of addresses of your site'],
  ['RECTO_AUTH_RETURN_TO', 'https://example.com/a?b=c', 'a list of addresses of your site'],
  ['RECTO_PASSWORD_SIGN_IN', 'sometimes', 'one of on, members, off'],
  ['RECTO_REQUIRE_SECOND_FACTOR', 'yes', 'one of off, admins, editors, all'],
  ['RECTO_SECOND_FACTOR_GRACE_DAYS', '-1', 'a whole number from 0 to 3650'],
  ['RECTO_PASSKEY_ORIGINS', 'shop.example.com', 'a list of origins'],
  ['RECTO_PASSKEY_ORIGINS', 'https://shop.example.com', 'RECTO_PASSKEY_ORIGINS needs RECTO_URL'],
  ['RECTO_PASSKEY_ORIGINS', '*', 'a list of origins'],
  ['RECTO_MAIL_PER_HOUR', '0', 'a whole number from 1 to 10000000'],
  ['RECTO_METRICS', '1', 'on or off'],
  ['RECTO_ADMIN', 'perhaps', 'on or off'],
  ['RECTO_SECRET', 'too short', 'at least 32 characters'],
  ['RECTO_ADMIN_EMAIL', 'nobody', 'an e-mail address'],
  ['RECTO_ADMIN_EMAIL', 'ada\u3164@example.com', 'an e-mail address'],
  ['RECTO_ADMIN_PASSWORD', 'short', 'at least 8 characters'],
  ['RECTO_ADMIN_PASSWORD', password, 'belong together'],
  ['RECTO_PROT', '1', 'RECTO_PROT: there is no such setting; did you mean RECTO_PORT?'],
  ['RECTO_COLOUR_OF_THE_SKY', 'blue', 'RECTO_COLOUR_OF_THE_SKY: there is no such setting'],
];

describe('rejected', () => {
  test.each(refused)('%s=%s', (name, text, says) => {
    expect(refusal({ [name]: text })).toContain(says);
  });

  test('every setting has a value that is rejected', () => {
    const names = new Set(refused.map(([name]) => name));
    expect(settingKeys.map(environmentName).filter((name) => !names.has(name))).toEqual([]);
  });

  test('all errors at once', () => {
    const file = fileOf('prot = 1\nregistration = "ajar"\n');
    const message = refusal({ RECTO_PORT: 'x', RECTO_WORKERS: 'many', RECTO_FOO: '1' }, file);
    expect(message).toStartWith('5 settings are invalid:\n');
    for (const part of ['RECTO_PORT', 'RECTO_WORKERS', 'RECTO_FOO', `${file}: prot`, `${file}: registration`]) {
      expect(message).toContain(part);
    }
  });

  test('no secret is repeated', () => {
    const message = refusal({
      RECTO_SECRET: 'hunter2',
      RECTO_ADMIN_PASSWORD: 'pw',
      RECTO_DATABASE_URL: 'postgres://me:hunter2@host:port/db',
    });
    expect(message).toContain('3 settings');
    expect(message).not.toContain('hunter2');
    expect(message).not.toContain('"pw"');
  });
});

describe('parts of addresses that may be secret are not repeated', () => {
  const addresses = [
    's3://key:hunter2@files',
    's3://key:hunter2%40files',
    's3://key:hun/hunter2?x@files',
    's3://key:a,hunter2@files',
    's3://files/a?hunter2=1',
    's3://files?endpoint=https://key:hunter2@s3.example.com',
    's3://files?endpoint=https://s3.example.com/?token=hunter2',
    's3://files?region=hunter2',
    'https://key:hunter2@example.com',
    'https://key:hunter2@example.com,https://a.example',
    'https://a.example,https://key:hun,hunter2@b.example',
    'https://example.com/?token=hunter2',
    'https://example.com/#hunter2',
    'HTTP://hunter2@example.com',
    'key:hunter2@example.com:80',
    'key:hunter2',
    'postgres://u:hunter2@h/d',
    'file://key:hunter2@host/a',
  ];
  test.each(settingKeys.map(environmentName))('%s', (name) => {
    for (const address of addresses) {
      // Without a scheme, it is an address only where the setting takes nothing else.
      if (!address.includes('://') && !/URL|ORIGINS|HOST|ALLOW|PROXIES/.test(name)) continue;
      const given = { [name]: address };
      let shown: string;
      try {
        shown = JSON.stringify([settingsInForce(readSettings(given)), readSettings(given).given]);
      } catch (error) {
        shown = String(error);
      }
      expect({ address, repeats: shown.includes('hunter2') }).toEqual({ address, repeats: false });
    }
  });

  test.each([
    ['RECTO_STORAGE_URL', 'file:/srv/a@b?c', 'file:/srv/a@b?c'],
    ['RECTO_STORAGE_URL', 'file:///srv/a@b?c', 'file:///srv/a@b?c'],
    ['RECTO_STORAGE_URL', 's3://files/a?endpoint=http://127.0.0.1:9000&region=x', 's3://files/a?…'],
    ['RECTO_HOST', '::1', '::1'],
    ['RECTO_TRUSTED_PROXIES', '10.0.0.0/8,2001:db8::/32', '10.0.0.0/8,2001:db8::/32'],
    ['RECTO_WEBHOOKS_ALLOW', '[::1]:8080, hooks.local:80', '[::1]:8080, hooks.local:80'],
    ['RECTO_CORS_ORIGINS', 'https://a.example,http://localhost:5173', 'https://a.example,http://localhost:5173'],
    ['RECTO_PUBLIC_URL', 'https://a.example:8443/site', 'https://a.example:8443/site'],
  ])('%s=%s is shown', (name, text, shown) => {
    const listed = settingsInForce(readSettings({ [name]: text }));
    expect(listed.find((one) => one.name === name)?.value).toBe(shown);
  });
});

describe('recto.toml', () => {
  test('is read', () => {
    const file = fileOf(
      'port = 80\nrate_limit = false\ncache_bytes = "1MiB"\nmax_body = 2048\ncors_origins = ["https://a.example"]\n',
    );
    expect(readSettings({}, file)).toMatchObject({
      port: 80,
      rateLimit: false,
      cacheBytes: 1_048_576,
      maxBody: 2048,
      corsOrigins: ['https://a.example'],
    });
  });

  test('the environment wins, setting by setting', () => {
    const file = fileOf('port = 80\nhost = "::1"\n');
    expect(readSettings({ RECTO_PORT: '81' }, file)).toMatchObject({ port: 81, host: '::1' });
  });

  test('an absent file holds nothing', () => {
    expect(readSettings({}, join(folder, 'absent.toml'))).toEqual(readSettings({}));
  });

  const wrong: readonly [text: string, says: string][] = [
    ['prot = 1', 'prot: there is no such setting; did you mean port?'],
    ['RECTO_PORT = 1', 'RECTO_PORT: there is no such setting'],
    ['[server]\nport = 1', 'server: there is no such setting'],
    ['port = "eighty"', 'port is "eighty": it must be a whole number'],
    ['port = 80.5', 'it must be a whole number'],
    ['data_dir = "a\\u0000b"', 'it must be a path'],
    ['host = 1', 'host is 1: it must be an address'],
    ['cors_origins = [1]', 'it must be a list of origins'],
    ['port = 2020-01-01', 'it must be a whole number'],
    ['host = "a"\nsecret = "hunter2', ', line 2, is not TOML: unfinished string'],
    ['host = "a"\nsecret = "hunter2\n', ', line 2, is not TOML: the quotes are not closed on this line'],
  ];
  test.each(wrong)('%p is rejected', (text, says) => {
    const message = refusal({}, fileOf(text));
    expect(message).toContain(says);
    expect(message).not.toContain('hunter2');
  });

  test('a file that cannot be read is an error', () => {
    expect(refusal({}, folder)).toContain(`${folder} cannot be read`);
  });
});

test('the database is in the data folder by default', () => {
  const path = (environment: Record<string, string>) => databaseLocation(readSettings(environment));
  expect(path({ RECTO_DATA_DIR: '/srv/recto' })).toEqual({ kind: 'sqlite', path: '/srv/recto/recto.db' });
  expect(path({ RECTO_DATABASE_URL: 'sqlite:/srv/other.db' })).toEqual({ kind: 'sqlite', path: '/srv/other.db' });
});

test('the description names every setting', () => {
  const text = describeSettings();
  for (const key of settingKeys) expect(text).toContain(`  ${environmentName(key)}  `);
  expect(text).toContain('default 64MiB\n');
});

test('replicas are listed with commas, or as an array', () => {
  const databaseReplicaUrls = ['postgres://u@a/d', 'postgres://u:p%2Cw@b:5433/d'];
  const RECTO_DATABASE_URL = 'postgres://u@h/d';
  expect(
    readSettings({ RECTO_DATABASE_URL, RECTO_DATABASE_REPLICA_URLS: databaseReplicaUrls.join(', ') }),
  ).toMatchObject({
    databaseReplicaUrls,
  });
});

test('presets are tables of recto.toml, beside those that are built in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-presets-'));
  const file = join(folder, 'recto.toml');
  writeFileSync(file, '[media.presets.card]\nwidth = 640\nheight = 360\n[media.presets.thumb]\nwidth = 100\n');
  const { mediaPresets } = readSettings({}, file);
  expect(mediaPresets).toMatchObject({
    card: { width: 640, height: 360, fit: 'cover', format: 'auto' },
    thumb: { width: 100, fit: 'inside', format: 'auto' },
    preview: { width: 1280 },
  });
  writeFileSync(file, '[media]\nprests = 1\n');
  expect(() => readSettings({}, file)).toThrow('media.prests: there is no such setting');
  rmSync(folder, { recursive: true });
});
