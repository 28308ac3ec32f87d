import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthServices } from '../../packages/recto/src/auth/auth-services.ts';
import { draftFirstAdmin, makeFirstAdmin } from '../../packages/recto/src/auth/first-admin.ts';
import type { PasswordHasher } from '../../packages/recto/src/auth/password-hasher.ts';
import type { Role } from '../../packages/recto/src/base/caller.ts';
import type { AllowedTarget } from '../../packages/recto/src/base/net/allowed-target.ts';
import type { MediaPresets } from '../../packages/recto/src/config/media-presets.ts';
import type { ProxyTrust, StorageLocation } from '../../packages/recto/src/config/setting-type.ts';
import { readSettings, type Settings } from '../../packages/recto/src/config/settings.ts';
import type { LiveDefinitions } from '../../packages/recto/src/content-types/live-definitions.ts';
import type { ContentTypes } from '../../packages/recto/src/definition/content-type.ts';
import { languagesOf } from '../../packages/recto/src/definition/languages/languages.ts';
import type { StreamLimits } from '../../packages/recto/src/events/streams/stream-places.ts';
import { accounts } from '../../packages/recto/src/features/accounts/accounts-feature.ts';
import { contentTypes } from '../../packages/recto/src/features/content-types/content-types-feature.ts';
import { builtInTypesFor, features } from '../../packages/recto/src/features/index.ts';
import type { App } from '../../packages/recto/src/http/app.ts';
import type { Operation } from '../../packages/recto/src/http/operation.ts';
import type { Jobs } from '../../packages/recto/src/jobs/jobs.ts';
import type { WalkBounds } from '../../packages/recto/src/query/list-query.ts';
import type { AnswerBudget } from '../../packages/recto/src/records/answers/answer.ts';
import type { AnswerCache } from '../../packages/recto/src/records/answers/answer-cache.ts';
import type { Records } from '../../packages/recto/src/records/records.ts';
import { type ServiceOptions as OpenOptions, openService } from '../../packages/recto/src/service/open-service.ts';
import type { Service } from '../../packages/recto/src/service/service.ts';
import { openStorage, storageLocation } from '../../packages/recto/src/storage/open-storage.ts';
import type { Storage } from '../../packages/recto/src/storage/storage.ts';
import { openTestDatabase, query, type TestDatabase, type TestDatabaseOptions } from './database/database.ts';
import { deployed } from './definitions.ts';
import { loggerOf, ServiceLog } from './service-log.ts';
import { testStorage } from './storage.ts';

/** Cheap to compute, so that tests with many accounts stay quick; the real one has tests of its own. */
const quickPasswords: PasswordHasher = {
  hash: async (password) => quickHash(password),
  // Hashes that an import brings are real ones.
  verify: async (password, hash) =>
    hash?.startsWith('$') === true ? Bun.password.verify(password, hash) : hash === quickHash(password),
  isOutdated: (hash) => hash.startsWith('$'),
};

/** Text that every database can store, whatever the password: a real hash is one too. */
const quickHash = (password: string): string => `quick:${Buffer.from(password).toString('base64')}`;

const secret = 'a secret of the tests, long enough';

export interface ServiceOptions {
  /** Roles of the deployment's own, as their files would have them. */
  readonly roles?: readonly unknown[];
  /** With pages, posts and comments, which a running service always has. */
  readonly builtIn?: boolean;
  /** RECTO_LANGUAGES, such as `en,de`; default: one language. */
  readonly languages?: string;
  /** `[languages.fallbacks]`. */
  readonly languageFallbacks?: Readonly<Record<string, readonly string[]>>;
  /** RECTO_PUBLIC_URL. */
  readonly publicUrl?: string;
  /** RECTO_COMMENTS_AUTO_APPROVE; default: none. */
  readonly commentsAutoApprove?: 'none' | 'members' | 'all';
  readonly cacheSeconds?: number;
  readonly maxPageSize?: number;
  /** RECTO_EXACT_TOTALS; default: that of the settings. */
  readonly exactTotals?: number;
  /** So many matches of a search are counted and ranked; default: 10,000. */
  readonly mostMatches?: number;
  /** How far a page is looked for by its related records; default: that of the service. */
  readonly walk?: WalkBounds;
  readonly maxBody?: number;
  /** RECTO_MAX_INCLUDED and RECTO_MAX_ANSWER; default: those of the settings. */
  readonly budget?: AnswerBudget;
  /** RECTO_WEBHOOKS_ALLOW; default: this machine. */
  readonly webhooksAllow?: readonly AllowedTarget[];
  /** Default: no limits. */
  readonly rateLimit?: boolean;
  /** Default: open. */
  readonly registrationOpen?: boolean;
  /** RECTO_TRUSTED_PROXIES; default: none. */
  readonly trustedProxies?: ProxyTrust;
  /** RECTO_CORS_ORIGINS; default: none. */
  readonly corsOrigins?: readonly string[];
  /** Where files are; default: a folder of the test. */
  readonly storage?: StorageLocation;
  readonly mediaPresets?: MediaPresets;
  readonly mediaMaxFile?: number;
  readonly mediaTypes?: readonly string[];
  /** RECTO_IMPORT_MAX_FILE; default: that of the settings. */
  readonly importMaxFile?: number;
  /** The clock by which answers are kept. */
  readonly now?: () => number;
  readonly database?: TestDatabaseOptions;
  readonly more?: readonly Operation[];
  /** RECTO_EVENTS_MAX_STREAMS and RECTO_EVENTS_MAX_STREAMS_PER_CALLER; default: those of the settings. */
  readonly streams?: StreamLimits;
  /** The folder with `hooks/`, `routes/` and `jobs/`; default: there are none. */
  readonly code?: string;
  /** Further settings, such as those of mail. */
  readonly settings?: Partial<Settings>;
  /** Errors that the service is to log, as those of `expectErrors`. */
  readonly expectedErrors?: readonly RegExp[];
  /** Where the log is written, one line at a time; default: nowhere. */
  readonly log?: (line: string) => void;
}

export interface Sent {
  /** The name of an account made with `account`, or none for an anonymous caller. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Default: the service's own. */
  readonly through?: App;
  /** Of the socket's other end; default: not known. */
  readonly peer?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and a wrong path fails the test.
  readonly json: any;
  readonly text: string;
}

/** A whole service in process, on a database of its own: every operation that `recto start` would answer for these content types. */
export class TestService implements AsyncDisposable {
  readonly database: TestDatabase;
  readonly definitions: LiveDefinitions;
  readonly app: App;
  readonly #service: Service;
  readonly #options: OpenOptions;
  readonly #log: ServiceLog;
  readonly #tokens = new Map<string, { readonly id: string; readonly token: string }>();
  #seeding: Promise<string> | undefined;

  static async open(definitions: readonly unknown[], options: ServiceOptions = {}): Promise<TestService> {
    const database = await openTestDatabase(options.database);
    const settings = settingsOf(options);
    const log = new ServiceLog('a service in process', options.expectedErrors);
    const opening: OpenOptions = {
      settings,
      log: loggerOf(log, options.log),
      deployed: deployed(
        definitions,
        options.builtIn === true ? builtInTypesFor(settings) : [],
        options.roles,
        languagesOf(settings),
      ),
      database,
      features: [...features, { name: 'of the test', create: () => ({ operations: () => options.more ?? [] }) }],
      passwords: quickPasswords,
      ...(options.now === undefined ? {} : { now: options.now }),
      ...(options.mostMatches === undefined ? {} : { mostMatches: options.mostMatches }),
      ...(options.walk === undefined ? {} : { walk: options.walk }),
    };
    return new TestService(database, await openService(opening), opening, log);
  }

  private constructor(database: TestDatabase, service: Service, options: OpenOptions, log: ServiceLog) {
    this.#log = log;
    this.database = database;
    this.definitions = service.get(contentTypes);
    this.app = service.app;
    service.ready();
    this.#service = service;
    this.#options = options;
  }

  /** Announces errors that the test makes the service log; others fail the test. */
  expectErrors(...patterns: readonly RegExp[]): void {
    this.#log.expect(...patterns);
  }

  /** The app of another service on the same database, as another process would have it. */
  async anotherApp(): Promise<App> {
    return (await openService(this.#options)).app;
  }

  /** The app of a service on the same database that has other settings. */
  async appWith(settings: Partial<Settings>): Promise<App> {
    const options = { ...this.#options, settings: { ...this.#options.settings, ...settings } };
    return (await openService(options)).app;
  }

  /** The content types as of the last request. */
  get types(): ContentTypes {
    return this.#service.types;
  }

  get records(): Records {
    return this.#service.records;
  }

  get answers(): AnswerCache {
    return this.#service.content.answers;
  }

  /** Where its files are, opened once more. */
  get storage(): Storage {
    return openStorage(this.storageLocation);
  }

  get storageLocation(): StorageLocation {
    return storageLocation(this.#options.settings);
  }

  /** The keys of all files in the storage, in order. */
  async storedKeys(prefix = ''): Promise<readonly string[]> {
    const keys: string[] = [];
    for await (const { key } of this.storage.list(prefix)) keys.push(key);
    return keys.toSorted();
  }

  get operations(): readonly Operation[] {
    return this.#service.content.operations();
  }

  get jobs(): Jobs {
    return this.#service.jobs;
  }

  /** Runs all background work that is due, to its end. Otherwise none runs here. */
  runJobs(): Promise<void> {
    return this.#service.runner.settle();
  }

  /** Creates an account that requests can be sent `as`, by its name; returns its id. */
  async account(name: string, role: Role = 'member', tenant: string | null = null): Promise<string> {
    const email = `${name}@example.com`;
    const registered = await this.send('POST /api/v1/auth/register', { body: { email, password: 'correct horse' } });
    if (registered.status !== 201) throw new Error(`Registering ${name} failed: ${registered.text}`);
    const { id } = registered.json.user;
    await this.database.transaction(async (transaction) => {
      await transaction.run(query('update recto_accounts set role = ?, tenant_id = ? where id = ?', role, tenant, id));
      transaction.touch('recto:auth');
    });
    this.#tokens.set(name, { id, token: registered.json.access_token });
    return id;
  }

  /** Creates the first admin, as the first start does; returns the code that it prints. */
  async firstAdminCode(): Promise<string> {
    const draft = await draftFirstAdmin(this.auth, { email: undefined, password: undefined });
    if (draft === undefined) throw new Error('There is an admin.');
    return (await makeFirstAdmin(this.auth, draft))?.generatedPassword ?? '';
  }

  /** The number of the newest event, which this admin is shown. */
  async lastEvent(as: string): Promise<number> {
    const { json } = await this.send('GET /api/v1/admin/events?limit=1', { as });
    return json.items[0]?.seq ?? 0;
  }

  idOf(name: string): string {
    const known = this.#tokens.get(name);
    if (known === undefined) throw new Error(`There is no account "${name}" in this test.`);
    return known.id;
  }

  tokenOf(name: string): string {
    const known = this.#tokens.get(name);
    if (known === undefined) throw new Error(`There is no account "${name}" in this test.`);
    return known.token;
  }

  /**
   * Sends `METHOD /path` with a JSON body (a string or bytes as they are) and reads the whole answer. An account whose access token
   * has expired signs in again, and one whose proof is too old gives it again: a test may take as long as the machine needs.
   */
  async send(line: string, sent: Sent = {}): Promise<Reply> {
    const reply = await this.#sendOnce(line, sent);
    if (sent.as === undefined || (reply.status !== 401 && reply.status !== 403)) return reply;
    const code: unknown = reply.json?.code;
    if (code === 'token_expired') await this.#signIn(sent.as);
    else if (code === 'step_up_required') await this.#stepUp(sent.as);
    else return reply;
    return await this.#sendOnce(line, sent);
  }

  async #stepUp(name: string): Promise<void> {
    const body = { current_password: 'correct horse' };
    const { status, text } = await this.#sendOnce('POST /api/v1/auth/me/step-up', { as: name, body });
    if (status !== 204) throw new Error(`Stepping ${name} up failed: ${text}`);
  }

  async #signIn(name: string): Promise<void> {
    const body = { email: `${name}@example.com`, password: 'correct horse' };
    const { status, json, text } = await this.#sendOnce('POST /api/v1/auth/login', { body });
    if (status !== 200) throw new Error(`Signing ${name} in again failed: ${text}`);
    this.#tokens.set(name, { id: json.user.id, token: json.access_token });
  }

  async #sendOnce(line: string, { as, headers = {}, body, through = this.app, peer }: Sent = {}): Promise<Reply> {
    const [method = 'GET', path = '/'] = line.split(' ');
    const sent: Record<string, string> = {};
    if (as !== undefined) sent.Authorization = `Bearer ${this.tokenOf(as)}`;
    if (body !== undefined) sent['Content-Type'] = 'application/json';
    const init: RequestInit = { method, headers: { ...sent, ...headers } };
    if (body !== undefined) {
      init.body =
        typeof body === 'string' || body instanceof Uint8Array
          ? (body as string | Uint8Array<ArrayBuffer>)
          : JSON.stringify(body);
    }
    const response = await through.fetch(
      new Request(`http://recto.test${path}`, init),
      peer === undefined ? undefined : () => peer,
    );
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    // It would never end.
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    const isJson = text !== '' && /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  }

  /** Creates a record as an admin and returns all of it; also pages and posts. */
  async seed(plural: string, body: Readonly<Record<string, unknown>>): Promise<Reply['json']> {
    // Once, also where several are seeded at the same moment.
    this.#seeding ??= this.account('seeding-admin', 'admin');
    await this.#seeding;
    const builtIn = this.types.all.some((type) => type.ownRoutes && type.plural === plural);
    const made = await this.send(`POST /api/v1/${builtIn ? '' : 'admin/cms/'}${plural}`, { as: 'seeding-admin', body });
    if (made.status !== 201) throw new Error(`Seeding ${plural} failed: ${made.text}`);
    return made.json;
  }

  get auth(): AuthServices {
    return this.#service.get(accounts).auth;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.stop();
    await this.database.close();
    const { storageUrl, dataDir } = this.#options.settings;
    if (storageUrl?.kind === 'file') rmSync(storageUrl.path, { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function settingsOf(options: ServiceOptions): Settings {
  return {
    ...readSettings({}),
    secret,
    ...(options.streams === undefined
      ? {}
      : { eventsMaxStreams: options.streams.process, eventsMaxStreamsPerCaller: options.streams.caller }),
    ...(options.code === undefined ? {} : { hooksDir: join(options.code, 'hooks/') }),
    storageUrl: options.storage ?? testStorage(),
    dataDir: join(tmpdir(), `recto-data-${crypto.randomUUID()}`),
    ...(options.importMaxFile === undefined ? {} : { importMaxFile: options.importMaxFile }),
    ...(options.mediaPresets === undefined ? {} : { mediaPresets: options.mediaPresets }),
    ...(options.mediaMaxFile === undefined ? {} : { mediaMaxFile: options.mediaMaxFile }),
    ...(options.mediaTypes === undefined ? {} : { mediaTypes: options.mediaTypes }),
    cacheBytes: 10_000_000,
    cmsCacheTtlSecs: options.cacheSeconds ?? 30,
    cmsMaxPageSize: options.maxPageSize ?? 100,
    ...(options.exactTotals === undefined ? {} : { exactTotals: options.exactTotals }),
    maxBody: options.maxBody ?? 1_048_576,
    rateLimit: options.rateLimit ?? false,
    registration: (options.registrationOpen ?? true) ? 'open' : 'closed',
    commentsAutoApprove: options.commentsAutoApprove ?? 'none',
    trustedProxies: options.trustedProxies ?? [],
    publicUrl: options.publicUrl,
    corsOrigins: options.corsOrigins ?? [],
    mediaFetchAllow: [{ kind: 'network', address: '127.0.0.0', prefix: 8, port: null }],
    webhooksAllow: options.webhooksAllow ?? [{ kind: 'network', address: '127.0.0.0', prefix: 8, port: null }],
    ...(options.budget === undefined ? {} : { maxIncluded: options.budget.included, maxAnswer: options.budget.bytes }),
    ...(options.languages === undefined ? {} : { languages: options.languages.split(',') }),
    ...(options.languageFallbacks === undefined ? {} : { languageFallbacks: options.languageFallbacks }),
    ...options.settings,
  };
}
