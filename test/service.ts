import { sql } from 'kysely';
import { openAuth } from '../packages/recto/src/auth/auth-services.ts';
import type { PasswordHasher } from '../packages/recto/src/auth/password-hasher.ts';
import type { Role } from '../packages/recto/src/base/caller.ts';
import { createLogger } from '../packages/recto/src/base/logger.ts';
import { builtInTypes } from '../packages/recto/src/builtin/built-in-types.ts';
import type { ProxyTrust } from '../packages/recto/src/config/setting-type.ts';
import { LiveDefinitions } from '../packages/recto/src/content-types/live-definitions.ts';
import { LiveParts } from '../packages/recto/src/content-types/live-parts.ts';
import { compiledQuery } from '../packages/recto/src/database/compiled-query.ts';
import type { ContentTypes } from '../packages/recto/src/definition/content-type.ts';
import { type App, createApp } from '../packages/recto/src/http/app.ts';
import type { HealthState } from '../packages/recto/src/http/health/health-state.ts';
import { KeyedRequests } from '../packages/recto/src/http/idempotency/keyed-requests.ts';
import { liveApp } from '../packages/recto/src/http/live-app.ts';
import { Metrics } from '../packages/recto/src/http/metrics/metrics.ts';
import type { Operation } from '../packages/recto/src/http/operation.ts';
import { TrustedProxies } from '../packages/recto/src/http/proxies/trusted-proxies.ts';
import { AnswerCache } from '../packages/recto/src/records/answer-cache.ts';
import { CursorSealer } from '../packages/recto/src/records/cursor-sealer.ts';
import { LayoutGuard } from '../packages/recto/src/records/layout-guard.ts';
import { Records } from '../packages/recto/src/records/records.ts';
import { serviceOperations } from '../packages/recto/src/service/service-operations.ts';
import { openTestDatabase, type TestDatabase, type TestDatabaseOptions } from './database.ts';
import { deployed } from './definitions.ts';

/** Cheap to compute, so that tests with many accounts stay quick; the real one has tests of its own. */
const quickPasswords: PasswordHasher = {
  hash: async (password) => `quick:${password}`,
  verify: async (password, hash) => hash === `quick:${password}`,
};

const secret = 'a secret of the tests, long enough';

export interface ServiceOptions {
  /** With pages, posts and comments, which a running service always has. */
  readonly builtIn?: boolean;
  /** RECTO_PUBLIC_URL. */
  readonly publicUrl?: string;
  /** RECTO_COMMENTS_AUTO_APPROVE; default: none. */
  readonly commentsAutoApprove?: 'none' | 'members' | 'all';
  readonly cacheSeconds?: number;
  readonly maxPageSize?: number;
  readonly maxBody?: number;
  /** Default: no limits. */
  readonly rateLimit?: boolean;
  /** Default: open. */
  readonly registrationOpen?: boolean;
  /** RECTO_TRUSTED_PROXIES; default: none. */
  readonly trustedProxies?: ProxyTrust;
  /** The clock by which answers are kept. */
  readonly now?: () => number;
  readonly database?: TestDatabaseOptions;
  readonly more?: readonly Operation[];
}

export interface Sent {
  /** The name of an account made with `account`, or none for a visitor. */
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

/** What the app of one set of content types is made of. */
interface Served {
  readonly records: Records;
  readonly answers: AnswerCache;
  readonly operations: readonly Operation[];
}

/** A whole service in process, on a database of its own: every operation that `recto start` would answer for these content types. */
export class TestService implements AsyncDisposable {
  readonly database: TestDatabase;
  readonly definitions: LiveDefinitions;
  readonly app: App;
  readonly health: HealthState;
  readonly #metrics = new Metrics();
  #served: Served | undefined;
  readonly #tokens = new Map<string, { readonly id: string; readonly token: string }>();
  readonly #options: ServiceOptions;
  readonly #auth: Awaited<ReturnType<typeof openAuth>>;
  #seeding: Promise<string> | undefined;

  static async open(definitions: readonly unknown[], options: ServiceOptions = {}): Promise<TestService> {
    const database = await openTestDatabase(options.database);
    const files = deployed(definitions, options.builtIn === true ? builtInTypes : []);
    const { definitions: live } = await LiveDefinitions.open({ database, deployed: files });
    const auth = await openAuth({
      database,
      secret,
      registrationOpen: options.registrationOpen ?? true,
      rateLimit: options.rateLimit ?? false,
      passwords: quickPasswords,
    });
    return new TestService(database, live, auth, options);
  }

  private constructor(
    database: TestDatabase,
    definitions: LiveDefinitions,
    auth: Awaited<ReturnType<typeof openAuth>>,
    options: ServiceOptions,
  ) {
    this.database = database;
    this.definitions = definitions;
    this.#auth = auth;
    this.#options = options;
    const checks = { database: () => database.ping(), definitions: () => definitions.check() };
    this.health = { phase: 'ready', version: 'of the tests', startedAt: Date.now(), checks };
    this.app = liveApp(new LiveParts(definitions, (types) => ({ app: this.#serve(types) })));
  }

  /** The app of these content types, and what it is made of. */
  #serve(types: ContentTypes): App {
    const { cacheSeconds, maxPageSize, publicUrl, commentsAutoApprove, rateLimit, more } = this.#options;
    const { database, definitions, health } = this;
    const auth = this.#auth;
    const answers = new AnswerCache(database.generations, { maxBytes: 10_000_000, ttlSeconds: cacheSeconds ?? 30 });
    const limits = { pageSize: 20, maxPageSize: maxPageSize ?? 100 };
    const settings = {
      cmsMaxPageSize: limits.maxPageSize,
      metrics: true,
      publicUrl,
      commentsAutoApprove: commentsAutoApprove ?? ('none' as const),
      rateLimit: rateLimit ?? false,
    };
    const layouts = new LayoutGuard(database, types, definitions.layouts);
    const records = new Records({ database, types, limits, answers, layouts, cursors: new CursorSealer(secret) });
    const parts = { settings, definitions, types, records, auth, health, metrics: this.#metrics };
    const operations = [...serviceOperations(parts), ...(more ?? [])];
    this.#served = { records, answers, operations };
    return this.anotherApp();
  }

  /** The same operations behind an app that knows nothing of the other's requests, as another process would have it. */
  anotherApp(): App {
    const { now = Date.now, maxBody = 1_048_576 } = this.#options;
    const { trustedProxies = [] } = this.#options;
    return createApp({
      operations: this.operations,
      authenticator: this.#auth.authenticator,
      keyed: new KeyedRequests({ database: this.database, secret, now, onError: () => undefined }),
      log: createLogger('silent'),
      maxBody,
      proxies: new TrustedProxies(trustedProxies),
      corsOrigins: [],
    });
  }

  /** The content types as of the last request. */
  get types(): ContentTypes {
    return this.definitions.current.types;
  }

  get records(): Records {
    return this.#current.records;
  }

  get answers(): AnswerCache {
    return this.#current.answers;
  }

  get operations(): readonly Operation[] {
    return this.#current.operations;
  }

  get #current(): Served {
    if (this.#served === undefined) throw new Error('The service of the test has no app yet.');
    return this.#served;
  }

  /** Makes an account that requests can be sent `as`, by its name; tells its id. */
  async account(name: string, role: Role = 'member', tenant: string | null = null): Promise<string> {
    const email = `${name}@example.com`;
    const registered = await this.send('POST /api/v1/auth/register', { body: { email, password: 'correct horse' } });
    if (registered.status !== 201) throw new Error(`Registering ${name} failed: ${registered.text}`);
    const { id } = registered.json.user;
    await this.database.transaction(async (transaction) => {
      const promote = sql`update recto_accounts set role = ${role}, tenant_id = ${tenant} where id = ${id}`;
      await transaction.run(compiledQuery(promote, this.database.dialect));
      transaction.touch('recto:auth');
    });
    this.#tokens.set(name, { id, token: registered.json.access_token });
    return id;
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

  /** Sends `METHOD /path` with a JSON body (a string or bytes as they are) and reads the whole answer. */
  async send(line: string, { as, headers = {}, body, through = this.app, peer }: Sent = {}): Promise<Reply> {
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
    const text = await response.text();
    const isJson = text !== '' && (response.headers.get('content-type')?.includes('json') ?? false);
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  }

  /** Makes a record as an admin and tells it whole; also pages and posts. */
  async seed(plural: string, body: Readonly<Record<string, unknown>>): Promise<Reply['json']> {
    // Once, also where several are seeded at the same moment.
    this.#seeding ??= this.account('seeding-admin', 'admin');
    await this.#seeding;
    const builtIn = this.types.all.some((type) => type.builtIn && type.plural === plural);
    const made = await this.send(`POST /api/v1/${builtIn ? '' : 'admin/cms/'}${plural}`, { as: 'seeding-admin', body });
    if (made.status !== 201) throw new Error(`Seeding ${plural} failed: ${made.text}`);
    return made.json;
  }

  get auth(): Awaited<ReturnType<typeof openAuth>> {
    return this.#auth;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.close();
  }
}
