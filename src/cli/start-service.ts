import { existsSync } from 'node:fs';
import { type AuthServices, openAuth } from '../auth/auth-services.ts';
import { ensureFirstAdmin } from '../auth/first-admin.ts';
import { loadSecret } from '../auth/secret-store.ts';
import { databasePath, type Settings } from '../config/settings.ts';
import { type DeployedDefinitions, typesOf } from '../content-types/definition-set.ts';
import { LiveDefinitions } from '../content-types/live-definitions.ts';
import { LiveParts } from '../content-types/live-parts.ts';
import type { Database } from '../database/database.ts';
import { openSqliteDatabase } from '../database/sqlite/sqlite-database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { type App, createApp } from '../http/app.ts';
import type { HealthState } from '../http/health/health-state.ts';
import { KeyedRequests } from '../http/idempotency/keyed-requests.ts';
import { liveApp } from '../http/live-app.ts';
import { Metrics } from '../http/metrics/metrics.ts';
import { TrustedProxies } from '../http/proxies/trusted-proxies.ts';
import { type Server, serve } from '../http/server.ts';
import type { Logger } from '../log/logger.ts';
import { AgedRevisions } from '../records/revisions/aged-revisions.ts';
import { ScheduledUpdates } from '../records/scheduled-updates.ts';
import { closingApp } from './closing-app.ts';
import { readDeployed } from './definitions.ts';
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
  const deployed = await readDeployed(settings);
  // Wrong files are told before a database is made. One that is there may hold types that files relate to.
  if (!existsSync(databasePath(settings))) typesOf(deployed, []);
  const metrics = new Metrics();
  const database = await openSqliteDatabase({
    path: databasePath(settings),
    observe: (seconds) => metrics.databaseTime(seconds),
  });
  try {
    return await startOn(database, deployed, { settings, metrics, startedAt, ...surroundings });
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function startOn(database: Database, deployed: DeployedDefinitions, parts: Parts): Promise<RunningService> {
  const { log } = parts;
  const onFailure = (error: unknown): void =>
    log.error({ err: error }, 'the changed content types cannot be served; those before are');
  const { definitions, changes } = await LiveDefinitions.open({ database, deployed, onFailure });
  log.debug({ changes }, 'the database can hold the content types');
  const secret = await loadSecret({ configured: parts.settings.secret, dataDir: parts.settings.dataDir });
  const auth = await openServiceAuth(database, secret, parts);
  const onError = (error: unknown): void => log.warn({ err: error }, 'answers that have expired could not be cleared');
  const keyed = new KeyedRequests({ database, secret, onError });
  const health = healthOf(definitions, parts);
  const shared = { ...parts, definitions, secret, auth, keyed, health };
  const serving = new LiveParts(definitions, (types) => openServed({ ...shared, types }));
  const server = listen(liveApp(serving), health, parts);
  const ticker = startTicker(
    async (now, signal) => {
      const { scheduled, aged } = await serving.now();
      const next = await scheduled.run(now, signal);
      await aged.run(now, signal);
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
    await welcome(server.url, auth, definitions.current.types, parts);
    await definitions.settle();
  } catch (error) {
    await stop();
    throw error;
  }
  health.phase = 'ready';
  // `performance.now()` counts from the start of the process, so that loading the program is part of it.
  const fields = {
    url: server.url,
    version,
    types: ownTypes(definitions.current.types.all).length,
    duration_ms: Math.round(performance.now()),
  };
  log.info(fields, 'started');
  const reload = async (): Promise<ContentTypes> => {
    log.info({ changes: await definitions.redeploy(await readDeployed(parts.settings)) }, 'definitions reloaded');
    await definitions.settle();
    return definitions.current.types;
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

function healthOf(definitions: LiveDefinitions, { startedAt, log }: Parts): HealthState {
  return {
    phase: 'starting',
    version,
    startedAt,
    checks: { database: () => definitions.database.ping(), definitions: () => definitions.check() },
    onFailure: (check, error) => log.warn({ check, err: error }, 'a health check fails'),
  };
}

interface ServedParts extends Parts {
  readonly definitions: LiveDefinitions;
  readonly types: ContentTypes;
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

/** With records of its own, and so without answers that were cached for other definitions. */
function openServed(parts: ServedParts): Served {
  const { settings, metrics, log, definitions, auth, keyed } = parts;
  const records = openRecords({ ...parts, database: definitions.database });
  const app = createApp({
    operations: serviceOperations({ ...parts, records }),
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

function listen(app: App, health: HealthState, { settings, log }: Parts): Server {
  const { host, port } = settings;
  const closing = closingApp(app);
  return serve(() => (health.phase === 'draining' ? closing : app), { host, port, log });
}

/** The first admin is made when the port is known to be ours: a password that was generated must come to be seen. */
async function welcome(url: string, auth: AuthServices, types: ContentTypes, { settings, out }: Parts): Promise<void> {
  const admin = await ensureFirstAdmin(auth, { email: settings.adminEmail, password: settings.adminPassword });
  out(welcomeText({ url, settings, types: types.all, admin }));
}
