import { makeFirstAdmin } from '../auth/first-admin.ts';
import { version } from '../base/version.ts';
import { LiveParts } from '../content-types/live-parts.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import type { App } from '../http/app.ts';
import type { HealthState } from '../http/health/health-state.ts';
import { Idempotency } from '../http/idempotency/idempotency.ts';
import { liveApp } from '../http/live-app.ts';
import { OpenStreams } from '../http/open-streams.ts';
import { type Server, serve } from '../http/server.ts';
import { openMedia } from '../media/media-services.ts';
import type { Records } from '../records/records.ts';
import { closingApp } from './closing-app.ts';
import type { AddressSource, Recto, Started, StartOptions } from './recto.ts';
import { type ServedContent, serveContent } from './served-content.ts';
import { checkReplicas } from './service-database.ts';
import type { ServiceParts } from './service-parts.ts';
import { startTicker, type Ticker } from './ticker.ts';

/** How long running requests may take to finish when the service stops, in milliseconds. */
const drainMs = 4_000;

/**
 * How long a stopping service still answers, with `Connection: close`. Otherwise a client's next request could be on its way when
 * the connection closes, and the client would not know whether it was served.
 */
const farewellMs = 300;

/** The one composition of a service: the command line, workers, tests and programs that embed it all run this. */
export class Service implements Recto {
  readonly parts: ServiceParts;
  readonly health: HealthState;
  /** Answers requests with the current content types. */
  readonly app: App;
  readonly fetch: Recto['fetch'];
  readonly #content: LiveParts<ServedContent>;
  readonly #streams: OpenStreams;
  #server: Server | undefined;
  #ticker: Ticker | undefined;
  #stopped: Promise<void> | undefined;

  constructor(parts: ServiceParts) {
    this.parts = parts;
    this.health = healthOf(parts);
    this.#streams = new OpenStreams((error) => parts.log.error({ err: error }, 'a streamed answer failed'));
    const idempotency = idempotencyOf(parts);
    const media = openMedia({ ...parts, dialect: parts.database.dialect });
    this.#content = new LiveParts(parts.definitions, (types) =>
      serveContent(types, { ...parts, idempotency, media, health: this.health, streams: this.#streams }),
    );
    const app = liveApp(this.#content);
    this.app = app;
    this.fetch = (request, server) => app.fetch(request, addressBy(server));
  }

  get types(): ContentTypes {
    return this.parts.definitions.current.types;
  }

  /** The handler as of the last request. */
  get content(): ServedContent {
    return this.#content.current;
  }

  get records(): Records {
    return this.content.records;
  }

  async start({ listen = true }: StartOptions = {}): Promise<Started> {
    const { auth, definitions } = this.parts;
    try {
      const draft = await this.parts.firstAdmin();
      const url = listen ? this.listen() : null;
      if (!listen) this.#startTicker();
      await definitions.settle();
      // Only once the port is ours: otherwise a generated password would never be shown.
      const firstAdmin = draft === undefined ? undefined : await makeFirstAdmin(auth, draft);
      this.ready();
      return { url, firstAdmin };
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Listens, and is not ready yet. Throws `FatalError` where it cannot. */
  listen(): string {
    const { settings, log, group } = this.parts;
    const { host, port } = settings;
    const closing = closingApp(this.app);
    const app = (): App => (this.health.phase === 'draining' ? closing : this.app);
    this.#server = serve(app, { host, port, log, reusePort: group !== undefined });
    this.#startTicker();
    return this.#server.url;
  }

  /** From now on, readiness probes succeed. */
  ready(): void {
    if (this.health.phase === 'starting') this.health.phase = 'ready';
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #stop(): Promise<void> {
    this.health.phase = 'draining';
    const server = this.#server;
    await Promise.all([this.#ticker?.stop(), server && Bun.sleep(farewellMs)]);
    const stopped = server?.stop(drainMs);
    // No new connections are accepted now, so clients cannot reconnect to this process.
    this.#streams.close();
    await stopped;
    await this.parts.close();
  }

  #startTicker(): void {
    const { log } = this.parts;
    this.#ticker = startTicker(
      async () => (await this.#content.now()).jobs,
      (error, job) => log.warn({ err: error, job }, 'a job failed; it runs again'),
    );
  }
}

const addressBy = (server: AddressSource | undefined) =>
  typeof server?.requestIP === 'function'
    ? (request: Request): string => server.requestIP(request)?.address ?? 'unknown'
    : undefined;

function idempotencyOf({ database, secret, log, now }: ServiceParts): Idempotency {
  const onError = (error: unknown): void => log.warn({ err: error }, 'answers that have expired could not be cleared');
  return new Idempotency({ database, secret, onError, ...(now === undefined ? {} : { now }) });
}

function healthOf({ database, definitions, startedAt, group, log }: ServiceParts): HealthState {
  return {
    phase: 'starting',
    version,
    startedAt,
    checks: { database: () => database.ping(), definitions: () => definitions.check() },
    // The others serve while one is replaced; the database serves the reads of a missing replica.
    furtherChecks: {
      ...(group === undefined ? {} : { workers: group.checkWorkers }),
      ...(database.readPlaces === undefined ? {} : { replicas: () => checkReplicas(database) }),
    },
    onFailure: (check, error) => log.warn({ check, err: error }, 'a health check fails'),
  };
}
