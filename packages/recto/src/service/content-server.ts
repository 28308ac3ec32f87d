import type { AuthServices } from '../auth/auth-services.ts';
import type { Logger } from '../base/logger.ts';
import { version } from '../base/version.ts';
import type { Settings } from '../config/settings.ts';
import type { LiveDefinitions } from '../content-types/live-definitions.ts';
import { LiveParts } from '../content-types/live-parts.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { type App, createApp } from '../http/app.ts';
import type { HealthState } from '../http/health/health-state.ts';
import { KeyedRequests } from '../http/idempotency/keyed-requests.ts';
import { liveApp } from '../http/live-app.ts';
import type { Metrics } from '../http/metrics/metrics.ts';
import { TrustedProxies } from '../http/proxies/trusted-proxies.ts';
import { serve } from '../http/server.ts';
import { AgedRevisions } from '../records/revisions/aged-revisions.ts';
import { ScheduledUpdates } from '../records/scheduled-updates.ts';
import { closingApp } from './closing-app.ts';
import { checkReplicas } from './service-database.ts';
import { openRecords, serviceOperations } from './service-operations.ts';
import { startTicker } from './update-ticker.ts';

export interface ServerParts {
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Where this is one of several workers: what is told of all of them. The port is theirs too. */
  readonly whole?: WholeParts;
}

export interface WholeParts {
  /** The metrics, in the Prometheus text format. */
  readonly metricsText: () => Promise<string>;
  /** Rejects unless all workers serve. */
  readonly checkWorkers: () => Promise<void>;
}

/** What is behind the routes. */
export interface ServedParts {
  readonly definitions: LiveDefinitions;
  /** From `loadSecret`. */
  readonly secret: string;
  readonly auth: AuthServices;
}

/** Serves the content of one database on the port of the settings. */
export interface ContentServer {
  /** `http://127.0.0.1:9898`. */
  readonly url: string;
  /** Tells probes that requests may come. */
  ready(): void;
  /** Is not ready from now on; says farewell on the connections in use, takes no new ones, finishes what runs within 4 seconds. */
  drain(): Promise<void>;
}

/** What requests that run when the service stops are given to finish, in milliseconds. */
const drainMs = 4_000;

/**
 * How long a service that stops goes on to answer, and tells each client that this is the connection's last answer. Without, the
 * next request on a connection in use would be on its way when the connection is closed, and nobody could tell whether it was served.
 */
const farewellMs = 300;

/** Listens, not yet ready. Throws `StartRefused` where it cannot. */
export function serveContent(served: ServedParts, parts: ServerParts): ContentServer {
  const { definitions, secret } = served;
  const { database } = definitions;
  const { log } = parts;
  const onError = (error: unknown): void => log.warn({ err: error }, 'answers that have expired could not be cleared');
  const keyed = new KeyedRequests({ database, secret, onError });
  const health = healthOf(definitions, parts);
  // Each with records of its own, and so without answers that were cached for other definitions.
  const content = new LiveParts(definitions, (types) => openContent({ ...served, keyed, health, types }, parts));
  const app = liveApp(content);
  const closing = closingApp(app);
  const { host, port } = parts.settings;
  const server = serve(() => (health.phase === 'draining' ? closing : app), {
    host,
    port,
    log,
    reusePort: parts.whole !== undefined,
  });
  const ticker = startTicker(
    async (now, signal) => {
      const { scheduled, aged } = await content.now();
      const next = await scheduled.run(now, signal);
      await aged.run(now, signal);
      return next;
    },
    (error) => log.warn({ err: error }, 'scheduled updates wait'),
  );
  return {
    url: server.url,
    ready: () => {
      if (health.phase === 'starting') health.phase = 'ready';
    },
    drain: async () => {
      health.phase = 'draining';
      await Promise.all([ticker.stop(), Bun.sleep(farewellMs)]);
      await server.stop(drainMs);
    },
  };
}

function healthOf(definitions: LiveDefinitions, { startedAt, whole, log }: ServerParts): HealthState {
  return {
    phase: 'starting',
    version,
    startedAt,
    checks: { database: () => definitions.database.ping(), definitions: () => definitions.check() },
    // The others serve while one is replaced; what a replica would answer, the database does.
    furtherChecks: {
      ...(whole === undefined ? {} : { workers: whole.checkWorkers }),
      ...(definitions.database.readPlaces === undefined ? {} : { replicas: () => checkReplicas(definitions.database) }),
    },
    onFailure: (check, error) => log.warn({ check, err: error }, 'a health check fails'),
  };
}

interface OpenedParts extends ServedParts {
  readonly keyed: KeyedRequests;
  readonly health: HealthState;
  readonly types: ContentTypes;
}

/** What answers and acts on one set of content types. */
interface ServedContent {
  readonly app: App;
  readonly scheduled: ScheduledUpdates;
  readonly aged: AgedRevisions;
}

function openContent(opened: OpenedParts, parts: ServerParts): ServedContent {
  const { definitions, auth, keyed } = opened;
  const { settings, metrics, whole, log } = parts;
  const { database, layouts } = definitions;
  const records = openRecords({ ...opened, ...parts, database, layouts });
  const told = whole === undefined ? metrics : { text: whole.metricsText };
  const app = createApp({
    operations: serviceOperations({ ...opened, ...parts, metrics: told, records }),
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
