import { type FirstAdmin, type FirstAdminDraft, makeFirstAdmin } from '../auth/first-admin.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { LiveDefinitions } from '../content-types/live-definitions.ts';
import { LiveParts } from '../content-types/live-parts.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import type { EventLog } from '../events/event-log.ts';
import { accounts } from '../features/accounts/accounts-feature.ts';
import { contentTypes } from '../features/content-types/content-types-feature.ts';
import { events } from '../features/events/events-feature.ts';
import type { Feature } from '../features/feature.ts';
import { health } from '../features/health/health-feature.ts';
import type { HealthState } from '../features/health/health-state.ts';
import { jobs } from '../features/jobs/jobs-feature.ts';
import type { App } from '../http/app.ts';
import { Idempotency } from '../http/idempotency/idempotency.ts';
import { liveApp } from '../http/live-app.ts';
import { unknownPeer } from '../http/request-context.ts';
import { OpenStreams } from '../http/responses/open-streams.ts';
import { type Server, serve } from '../http/server.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Records } from '../records/records.ts';
import { closingApp } from './closing-app.ts';
import type { AddressSource, Recto, Started, StartOptions } from './recto.ts';
import { type ServedContent, serveContent } from './served-content.ts';
import type { ServiceParts } from './service-parts.ts';

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
  readonly #definitions: LiveDefinitions;
  readonly #content: LiveParts<ServedContent>;
  readonly #streams: OpenStreams;
  /** Background work: enqueued by anyone, run from the start on. */
  readonly jobs: Jobs;
  readonly runner: JobRunner;
  #server: Server | undefined;
  #stopped: Promise<void> | undefined;

  constructor(parts: ServiceParts) {
    const { features, database, secret, now, log, leaseMs } = parts;
    this.parts = parts;
    this.health = features.get(health);
    this.jobs = features.get(jobs);
    this.events = features.get(events).log;
    this.#streams = new OpenStreams((error) => log.error({ err: error }, 'a streamed answer failed'));
    const own = {
      idempotency: new Idempotency({ database, secret, now }),
      streams: this.#streams,
      latest: async () => (await this.#content.now()).app,
    };
    parts.process.metrics.watchFeatures(features.parts.flatMap(({ metrics = [] }) => metrics));
    this.#definitions = features.get(contentTypes);
    this.#content = new LiveParts(this.#definitions, (types) => serveContent(types, { ...parts, ...own }));
    this.runner = new JobRunner({
      ...{ database, jobs: this.jobs, log },
      kinds: async () => (await this.#content.now()).jobs,
      ...(leaseMs === undefined ? {} : { leaseMs }),
    });
    const app = liveApp(this.#content);
    this.app = app;
    this.fetch = (request, server) => app.fetch(request, addressBy(server));
  }

  /** What one of its features offers. */
  get<Offered>(feature: Feature<Offered>): Offered {
    return this.parts.features.get(feature);
  }

  get types(): ContentTypes {
    return this.#definitions.current.types;
  }

  /** What is served for the current content types. */
  contentNow(): MaybePromise<ServedContent> {
    return this.#content.now();
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
      const draft = await this.get(accounts).firstAdmin();
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
    await this.#definitions.settle();
    return draft === undefined ? undefined : makeFirstAdmin(this.get(accounts).auth, draft);
  }

  /** Listens, by default on the port of the settings, and is not ready yet. Throws `FatalError` where it cannot. */
  listen(port = this.parts.settings.port): string {
    const { settings, log, process } = this.parts;
    const { host } = settings;
    const closing = closingApp(this.app);
    const app = (): App => (this.health.phase === 'draining' ? closing : this.app);
    this.#server = serve(app, { host, port, log, reusePort: process.group !== undefined });
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
    await this.parts.features.close();
    await this.parts.close();
  }
}

const addressBy = (server: AddressSource | undefined) =>
  typeof server?.requestIP === 'function'
    ? (request: Request): string => server.requestIP(request)?.address ?? unknownPeer
    : undefined;
