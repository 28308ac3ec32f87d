import type { TransferCount, TransferReport } from '../transfer-report.ts';

/** Two reports of one import as one. */
export function mergedReports(first: TransferReport, second: TransferReport): TransferReport {
  const counts = new Map<string, TransferCount>();
  for (const count of [...first.counts, ...second.counts]) {
    const known = counts.get(count.kind);
    counts.set(count.kind, known === undefined ? count : sumOf(known, count));
  }
  return {
    ...second,
    counts: [...counts.values()],
    skipped: [...first.skipped, ...second.skipped],
    changed: [...first.changed, ...second.changed],
    failures: [...first.failures, ...second.failures],
  };
}

const sumOf = (one: TransferCount, other: TransferCount): TransferCount => ({
  kind: one.kind,
  taken: one.taken + other.taken,
  before: one.before + other.before,
  skipped: one.skipped + other.skipped,
  failed: one.failed + other.failed,
});
