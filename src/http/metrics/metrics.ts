import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import { processMetrics } from './process-metrics.ts';
import { RequestTotals } from './request-totals.ts';

/** What the metrics need of a route; the `Operation` that answered is one. */
export interface MeasuredRoute {
  readonly method: string;
  /** The pattern, such as `/api/v1/cms/articles/{id}`; never a path as it was asked for. */
  readonly path: string;
}

/** One answered request. */
export interface FinishedRequest {
  /** Null when no route matched. */
  readonly operation: MeasuredRoute | null;
  readonly status: number;
  readonly seconds: number;
}

/** The response cache as it stands. */
export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
  readonly entries: number;
}

const unmatched: MeasuredRoute = { method: 'any', path: 'unmatched' };

/**
 * The service's numbers. What is counted on the way of a request goes into plain numbers; they become Prometheus metrics
 * when they are asked for.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #totals = new Map<MeasuredRoute, RequestTotals>([[unmatched, new RequestTotals()]]);
  #databaseSeconds = 0;
  #databaseStatements = 0;

  constructor() {
    this.#registerRequests();
    this.#registerDatabase();
    for (const metric of processMetrics()) this.#registry.registerMetric(metric);
  }

  observe(finished: FinishedRequest): void {
    const route = finished.operation ?? unmatched;
    let totals = this.#totals.get(route);
    if (totals === undefined) {
      totals = new RequestTotals();
      this.#totals.set(route, totals);
    }
    totals.add(finished.status, finished.seconds);
  }

  /** One statement of the database took so long. */
  databaseTime(seconds: number): void {
    this.#databaseStatements += 1;
    this.#databaseSeconds += seconds;
  }

  /** Tells of the response cache too; `read` is asked for its figures at each scrape. Once a service. */
  watchCache(read: () => CacheFigures): void {
    const metrics = [
      total('recto_cache_hits_total', 'Answers taken from the response cache.', () => read().hits),
      total('recto_cache_misses_total', 'Answers that the response cache did not have.', () => read().misses),
      level('recto_cache_bytes', 'Memory taken by cached answers, in bytes.', () => read().bytes),
      level('recto_cache_entries', 'Cached answers.', () => read().entries),
    ];
    for (const metric of metrics) this.#registry.registerMetric(metric);
  }

  /** The media type of `text()`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything in the Prometheus text format, 0.0.4. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #registerRequests(): void {
    const totals = this.#totals;
    const requests = new Counter({
      name: 'recto_http_requests_total',
      help: 'Requests answered, by route, method and status.',
      labelNames: ['route', 'method', 'status'],
      registers: [],
      collect() {
        this.reset();
        for (const [{ method, path }, route] of totals) {
          for (const [status, count] of route.statuses) this.inc({ route: path, method, status }, count);
        }
      },
    });
    this.#registry.registerMetric(requests);
    this.#registry.registerMetric(durationHistogram(totals));
  }

  #registerDatabase(): void {
    this.#registry.registerMetric(
      total('recto_database_statements_total', 'Statements run by the database.', () => this.#databaseStatements),
    );
    this.#registry.registerMetric(
      total('recto_database_seconds_total', 'Time spent in statements, in seconds.', () => this.#databaseSeconds),
    );
  }
}

function total(name: string, help: string, read: () => number): Counter {
  return new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

function level(name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(read());
    },
  });
}

/** prom-client's own `Histogram` takes single observations only; this one is filled with sums already made. */
function durationHistogram(totals: ReadonlyMap<MeasuredRoute, RequestTotals>): Metric {
  const name = 'recto_http_request_duration_seconds';
  const histogram: { readonly name: string; get(): Promise<object> } = {
    name,
    get: async () => ({
      name,
      help: 'Time from a request to its answer, in seconds, by route and method.',
      type: 'histogram',
      values: [...totals].flatMap(([route, sums]) => histogramValues(name, route, sums)),
    }),
  };
  // All that a registry asks of a metric is its name and `get()`.
  return histogram as unknown as Metric;
}

function histogramValues(name: string, { method, path }: MeasuredRoute, sums: RequestTotals): readonly object[] {
  if (sums.count === 0) return [];
  const labels = { route: path, method };
  const buckets: readonly (readonly [number | string, number])[] = [...sums.cumulative(), ['+Inf', sums.count]];
  return [
    ...buckets.map(([le, value]) => ({ metricName: `${name}_bucket`, labels: { le, ...labels }, value })),
    { metricName: `${name}_sum`, labels, value: sums.seconds },
    { metricName: `${name}_count`, labels, value: sums.count },
  ];
}
