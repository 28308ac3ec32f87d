import { type FirstAdmin, type FirstAdminDraft, makeFirstAdmin } from '../auth/first-admin.ts';
import { version } from '../base/version.ts';
import { LiveParts } from '../content-types/live-parts.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { EventLog } from '../events/event-log.ts';
import type { HealthState } from '../features/health/health-state.ts';
import type { App } from '../http/app.ts';
import { Idempotency } from '../http/idempotency/idempotency.ts';
import { liveApp } from '../http/live-app.ts';
import { unknownPeer } from '../http/request-context.ts';
import { OpenStreams } from '../http/responses/open-streams.ts';
import { type Server, serve } from '../http/server.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { Jobs } from '../jobs/jobs.ts';
import { openMedia } from '../media/media-services.ts';
import type { Records } from '../records/records.ts';
import { closingApp } from './closing-app.ts';
import type { AddressSource, Recto, Started, StartOptions } from './recto.ts';
import { type ServedContent, serveContent } from './served-content.ts';
import { checkReplicas } from './service-database.ts';
import type { ServiceParts } from './service-parts.ts';
import { eventStreamsOf } from './service-streams.ts';

/**
 * How long a stopping service still answers, with `Connection: close`. Otherwise a client's next request could be on its way when
 * the connection closes, and the client would not know whether it was served.
 */
const farewellMs = 300;

/** That time in so many parts: a process that had no time meanwhile reads what has arrived between them, before it closes anything. */
const farewellParts = 6;

/** The one composition of a service: the command line, workers, tests and programs that embed it all run this. */
export class Service implements Recto {
  readonly parts: ServiceParts;
  readonly health: HealthState;
  /** Answers requests with the current content types. */
  readonly app: App;
  readonly fetch: Recto['fetch'];
  readonly events: EventLog;
  readonly #content: LiveParts<ServedContent>;
  readonly #streams: OpenStreams;
  /** Background work: enqueued by anyone, run from the start on. */
  readonly jobs: Jobs;
  readonly runner: JobRunner;
  #server: Server | undefined;
  #stopped: Promise<void> | undefined;

  constructor(parts: ServiceParts) {
    this.parts = parts;
    this.health = healthOf(parts);
    this.#streams = new OpenStreams((error) => parts.log.error({ err: error }, 'a streamed answer failed'));
    const idempotency = idempotencyOf(parts);
    const media = openMedia(parts);
    const jobs = new Jobs(parts.database, parts.now);
    this.jobs = jobs;
    this.events = new EventLog(parts.database);
    const eventStreams = eventStreamsOf(parts, this.events, () => this.#content.now());
    const own = {
      idempotency,
      jobs,
      media,
      events: this.events,
      eventStreams,
      health: this.health,
      streams: this.#streams,
      latest: async () => (await this.#content.now()).app,
    };
    this.#content = new LiveParts(parts.definitions, (types) => serveContent(types, { ...parts, ...own }));
    this.runner = new JobRunner({
      ...{ database: parts.database, jobs, log: parts.log },
      kinds: async () => (await this.#content.now()).jobs,
      ...(parts.leaseMs === undefined ? {} : { leaseMs: parts.leaseMs }),
    });
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
    try {
      const draft = await this.parts.firstAdmin();
      const url = listen ? this.listen() : null;
      if (!listen) this.runner.start();
      const firstAdmin = await this.complete(draft);
      this.ready();
      return { url, firstAdmin };
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /**
   * Does what follows once the port is this service's: otherwise a generated password would never be shown. Returns the first admin,
   * if this made it.
   */
  async complete(draft: FirstAdminDraft | undefined): Promise<FirstAdmin | undefined> {
    await this.parts.definitions.settle();
    return draft === undefined ? undefined : makeFirstAdmin(this.parts.auth, draft);
  }

  /** Listens, by default on the port of the settings, and is not ready yet. Throws `FatalError` where it cannot. */
  listen(port = this.parts.settings.port): string {
    const { settings, log, group } = this.parts;
    const { host } = settings;
    const closing = closingApp(this.app);
    const app = (): App => (this.health.phase === 'draining' ? closing : this.app);
    this.#server = serve(app, { host, port, log, reusePort: group !== undefined });
    this.runner.start();
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
    const runner = this.runner.stop();
    for (let part = 0; server !== undefined && part < farewellParts; part += 1)
      await Bun.sleep(farewellMs / farewellParts);
    const stopped = server?.stop(this.parts.settings.stopTimeoutSecs * 1_000);
    // No new connections are accepted now, so clients cannot reconnect to this process.
    this.#streams.close();
    await Promise.all([stopped, runner]);
    await this.parts.code.close();
    await this.parts.close();
  }
}

const addressBy = (server: AddressSource | undefined) =>
  typeof server?.requestIP === 'function'
    ? (request: Request): string => server.requestIP(request)?.address ?? unknownPeer
    : undefined;

function idempotencyOf({ database, secret, now }: ServiceParts): Idempotency {
  return new Idempotency({ database, secret, ...(now === undefined ? {} : { now }) });
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
