import type { Registry } from 'prom-client';
import type { ReadPlaces } from '../../database/database.ts';
import type { FeatureMetric } from './feature-metric.ts';
import type { CacheFigures, Figures, RouteTotals } from './figures.ts';
import type { MetricSnapshot } from './metric-snapshot.ts';
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

const unmatched: MeasuredRoute = { method: 'any', path: 'unmatched' };

/** What routes count as that come after so many others: types can be made through the API without end. */
const others: MeasuredRoute = { method: 'any', path: 'others' };
const mostRoutes = 20_000;

/** Counts what happens on the way of a request in plain numbers; they become Prometheus metrics when they are asked for. */
export class Metrics {
  /** By method and pattern, which are the same whenever the types are made anew. */
  readonly #routes = new Map<string, RouteTotals>();
  /** The operations of types that are no longer served are forgotten with all that they hold. */
  readonly #totals = new WeakMap<MeasuredRoute, RequestTotals>([[unmatched, this.#totalsOf(unmatched)]]);
  #databaseSeconds = 0;
  #databaseStatements = 0;
  #readCache: (() => CacheFigures) | undefined;
  #readReads: (() => ReadPlaces | undefined) | undefined;
  #features: readonly FeatureMetric[] = [];
  #registry: Registry | undefined;

  observe(finished: FinishedRequest): void {
    const route = finished.operation ?? unmatched;
    let totals = this.#totals.get(route);
    if (totals === undefined) {
      totals = this.#totalsOf(route);
      this.#totals.set(route, totals);
    }
    totals.add(finished.status, finished.seconds);
  }

  #totalsOf(route: MeasuredRoute): RequestTotals {
    const { method, path } = route;
    const key = `${method} ${path}`;
    const known = this.#routes.get(key);
    if (known !== undefined) return known.totals;
    if (this.#routes.size >= mostRoutes && route !== others) return this.#totalsOf(others);
    const totals = new RequestTotals();
    this.#routes.set(key, { method, path, totals });
    return totals;
  }

  /** One statement of the database took so long. */
  databaseTime(seconds: number): void {
    this.#databaseStatements += 1;
    this.#databaseSeconds += seconds;
  }

  /** Reports the response cache too; `read` returns its figures at each scrape. */
  watchCache(read: () => CacheFigures): void {
    this.#readCache = read;
  }

  /** Reports the replicas of the database too, in the same way. */
  watchReads(read: () => ReadPlaces | undefined): void {
    this.#readReads = read;
  }

  /** Reports what the features measure, in place of what an earlier set of content types did. The names are always the same. */
  watchFeatures(metrics: readonly FeatureMetric[]): void {
    this.#features = metrics;
  }

  figures(): Figures {
    return {
      routes: this.#routes.values(),
      databaseSeconds: this.#databaseSeconds,
      databaseStatements: this.#databaseStatements,
      cache: this.#readCache?.(),
      reads: this.#readReads?.(),
      features: this.#features,
    };
  }

  /** Everything in the Prometheus text format, 0.0.4. */
  async text(): Promise<string> {
    return (await this.#open()).metrics();
  }

  /** The same as data, to be added to that of other processes. */
  async snapshot(): Promise<MetricSnapshot> {
    return (await this.#open()).getMetricsAsJSON();
  }

  async #open(): Promise<Registry> {
    // Loaded with the first scrape: a tenth of the start's time and some megabytes, for those who scrape.
    this.#registry ??= (await import('./prometheus-registry.ts')).prometheusRegistry(() => this.figures());
    return this.#registry;
  }
}
