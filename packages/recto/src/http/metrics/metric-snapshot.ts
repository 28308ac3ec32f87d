import { AggregatorRegistry, Counter, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { processMetrics } from './process-metrics.ts';

/** The metrics of one process, as data. */
export type MetricSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/** All snapshots added up, in the Prometheus text format. */
export const sumText = (snapshots: readonly MetricSnapshot[]): Promise<string> => sum(snapshots).metrics();

/** Sums of what ended processes reported. Without them a total would shrink, which Prometheus reads as a restart from zero. */
export async function sumOfTotals(snapshots: readonly MetricSnapshot[]): Promise<MetricSnapshot> {
  const all = await sum(snapshots).getMetricsAsJSON();
  // prom-client returns the type's name, whatever its declaration says.
  return all.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}

// The library does not change what it is given.
const sum = (snapshots: readonly MetricSnapshot[]): Registry =>
  AggregatorRegistry.aggregate(snapshots as MetricObjectWithValues<MetricValue<string>>[][]);

/** What the supervisor reports about itself and its workers. */
export async function supervisorSnapshot(deaths: number): Promise<MetricSnapshot> {
  const registry = new Registry();
  for (const metric of processMetrics()) registry.registerMetric(metric);
  const died = new Counter({ name: 'recto_worker_deaths_total', help: 'Workers that ended.', registers: [registry] });
  died.inc(deaths);
  return registry.getMetricsAsJSON();
}
