import { type AuthServices, openAuth } from '../auth/auth-services.ts';
import { ensureFirstAdmin } from '../auth/first-admin.ts';
import { loadSecret } from '../auth/secret-store.ts';
import { databasePath, type Settings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';
import { syncSchema } from '../database/schema/sync-schema.ts';
import { openSqliteDatabase } from '../database/sqlite/sqlite-database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { type App, createApp } from '../http/app.ts';
import type { HealthState } from '../http/health/health-state.ts';
import { KeyedRequests } from '../http/idempotency/keyed-requests.ts';
import { Metrics } from '../http/metrics/metrics.ts';
import { TrustedProxies } from '../http/proxies/trusted-proxies.ts';
import { type Server, serve } from '../http/server.ts';
import type { Logger } from '../log/logger.ts';
import { AgedRevisions } from '../records/revisions/aged-revisions.ts';
import { ScheduledUpdates } from '../records/scheduled-updates.ts';
import { closingApp } from './closing-app.ts';
import { loadDefinitions } from './definitions.ts';
import { openRecords, serviceOperations } from './service-operations.ts';
import { ownTypes } from './type-address.ts';
import { startTicker } from './update-ticker.ts';
import { version } from './version.ts';
import { welcomeText } from './welcome.ts';

export interface RunningService {
  /** `http://127.0.0.1:9898`. */
  readonly url: string;
  /** Is not ready from now on; takes no new requests, finishes what runs, closes the database. Takes 5 seconds at most. */
  stop(): Promise<void>;
  /**
   * Reads the definitions anew and serves them from the next request on; what runs finishes on those before. Rejects with a
   * `StartRefused` when they are wrong or do not fit what is stored; nothing changes then.
   */
  reload(): Promise<ContentTypes>;
}

interface Surroundings {
  readonly log: Logger;
  /** Where the welcome goes, for a person. */
  readonly out: (text: string) => void;
}

interface Parts extends Surroundings {
  readonly settings: Settings;
  readonly types: ContentTypes;
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** What requests that run when the service stops are given to finish, in milliseconds. */
const drainMs = 4_000;

/**
 * Brings the service up: definitions, database, accounts, routes, port; ready when it resolves.
 * Rejects with a `StartRefused` for whatever is not as it must be; nothing is left open then.
 */
export async function startService(settings: Settings, surroundings: Surroundings): Promise<RunningService> {
  const startedAt = Date.now();
  const types = await loadDefinitions(settings);
  const metrics = new Metrics();
  const database = await openSqliteDatabase({
    path: databasePath(settings),
    observe: (seconds) => metrics.databaseTime(seconds),
  });
  try {
    return await startOn(database, { settings, types, metrics, startedAt, ...surroundings });
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function startOn(database: Database, parts: Parts): Promise<RunningService> {
  const { types, log } = parts;
  log.debug({ changes: await syncSchema(database, types) }, 'the database can hold the content types');
  const secret = await loadSecret({ configured: parts.settings.secret, dataDir: parts.settings.dataDir });
  const auth = await openServiceAuth(database, secret, parts);
  const onError = (error: unknown): void => log.warn({ err: error }, 'answers that have expired could not be cleared');
  const keyed = new KeyedRequests({ database, secret, onError });
  const health = healthOf(database, parts);
  const serving = (current: ContentTypes): Served =>
    openServed({ database, secret, auth, keyed, health }, { ...parts, types: current });
  let served = serving(types);
  const server = listen(() => served.app, health, parts);
  const ticker = startTicker(
    async (now, signal) => {
      const next = await served.scheduled.run(now, signal);
      await served.aged.run(now, signal);
      return next;
    },
    (error) => log.warn({ err: error }, 'scheduled updates wait'),
  );
  const stop = async (): Promise<void> => {
    health.phase = 'draining';
    await ticker.stop();
    await server.stop(drainMs);
    await database.close();
  };
  try {
    await welcome(server.url, auth, parts);
  } catch (error) {
    await stop();
    throw error;
  }
  health.phase = 'ready';
  // `performance.now()` counts from the start of the process, so that loading the program is part of it.
  const fields = {
    url: server.url,
    version,
    types: ownTypes(types.all).length,
    duration_ms: Math.round(performance.now()),
  };
  log.info(fields, 'started');
  const reload = async (): Promise<ContentTypes> => {
    const fresh = await loadDefinitions(parts.settings);
    log.info({ changes: await syncSchema(database, fresh) }, 'definitions reloaded');
    // With records of its own, and so without answers that were cached for other definitions.
    served = serving(fresh);
    return fresh;
  };
  return { url: server.url, stop, reload };
}

function openServiceAuth(database: Database, secret: string, { settings, log }: Parts): Promise<AuthServices> {
  return openAuth({
    database,
    secret,
    registrationOpen: settings.registration === 'open',
    rateLimit: settings.rateLimit,
    onError: (error) => log.error({ err: error }, 'accounts: something failed behind a request'),
  });
}

function healthOf(database: Database, { startedAt, log }: Parts): HealthState {
  return {
    phase: 'starting',
    version,
    startedAt,
    checks: { database: () => database.ping() },
    onFailure: (check, error) => log.warn({ check, err: error }, 'a health check fails'),
  };
}

interface OpenedParts {
  readonly database: Database;
  readonly secret: string;
  readonly auth: AuthServices;
  readonly keyed: KeyedRequests;
  readonly health: HealthState;
}

/** What answers and acts on one set of content types. */
interface Served {
  readonly app: App;
  readonly scheduled: ScheduledUpdates;
  readonly aged: AgedRevisions;
}

function openServed({ database, secret, auth, keyed, health }: OpenedParts, parts: Parts): Served {
  const { settings, metrics, log } = parts;
  const records = openRecords({ ...parts, database, secret });
  const app = createApp({
    operations: serviceOperations({ ...parts, records, auth, health }),
    authenticator: auth.authenticator,
    keyed,
    log,
    observe: (finished) => metrics.observe(finished),
    maxBody: settings.maxBody,
    proxies: new TrustedProxies(settings.trustedProxies),
    corsOrigins: settings.corsOrigins,
  });
  const scheduled = new ScheduledUpdates(records, ({ error, ...record }) =>
    log.error({ ...record, err: error }, 'a scheduled update cannot be made'),
  );
  return { app, scheduled, aged: new AgedRevisions(records) };
}

function listen(app: () => App, health: HealthState, { settings, log }: Parts): Server {
  const { host, port } = settings;
  return serve(() => (health.phase === 'draining' ? closingApp(app()) : app()), { host, port, log });
}

/** The first admin is made when the port is known to be ours: a password that was generated must come to be seen. */
async function welcome(url: string, auth: AuthServices, { settings, types, out }: Parts): Promise<void> {
  const admin = await ensureFirstAdmin(auth, { email: settings.adminEmail, password: settings.adminPassword });
  out(welcomeText({ url, settings, types: types.all, admin }));
}
