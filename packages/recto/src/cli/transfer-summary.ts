import { printable } from '../base/printable.ts';
import type { MissingFiles, TransferFailure, TransferRemark, TransferReport } from '../transfer/transfer-report.ts';

/** The closing table of a transfer, for a person. */
export function transferSummary(report: TransferReport, headline: string): string {
  const { dry_run: dryRun, counts, skipped, changed, failures, missing_files: missing } = report;
  const errors = counts.reduce((sum, { failed }) => sum + failed, 0);
  const rows = counts.map(({ kind, taken, before, skipped: left, failed }) => [
    ...[kind, `${taken}`, `${before}`, `${left}`],
    ...(errors > 0 ? [`${failed}`] : []),
  ]);
  const names = ['', 'taken', 'there before', 'skipped', ...(errors > 0 ? ['with errors'] : [])];
  const lines = [headline, '', ...table([names, ...rows])];
  if (failures.length > 0) lines.push('', 'Left out', ...failureLines(failures, errors));
  if (skipped.length > 0) lines.push('', 'Skipped', ...remarkLines(skipped));
  if (changed.length > 0) lines.push('', 'Changed on the way', ...remarkLines(changed));
  if (missing !== undefined) lines.push('', 'Files that are missing', ...missingLines(missing));
  if (dryRun) lines.push('', 'This was a dry run: nothing was stored.');
  return `${printable(lines.join('\n'))}\n`;
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return `  ${cells.join('  ')}`;
  });
}

function remarkLines(remarks: readonly TransferRemark[]): readonly string[] {
  const counts = Math.max(...remarks.map(({ count }) => `${count}`.length));
  return remarks.map(({ kind, text, count, examples }) => {
    const more = count > examples.length ? ', …' : '';
    const named = examples.length === 0 ? '' : ` (${examples.join(', ')}${more})`;
    return `  ${`${count}`.padStart(counts)}  ${kind}: ${text}${named}`;
  });
}

function failureLines(failures: readonly TransferFailure[], errors: number): readonly string[] {
  const lines = failures.flatMap(({ place, errors: reasons }) => reasons.map((reason) => `  ${place}: ${reason}`));
  return errors > failures.length ? [...lines, `  and ${errors - failures.length} more`] : lines;
}

function missingLines({ total, files }: MissingFiles): readonly string[] {
  const lines = files.map(({ id, name, hash }) => `  ${name} (media ${id}, SHA-256 ${hash ?? 'not known'})`);
  const more = total > files.length ? [`  and ${total - files.length} more`] : [];
  return [...lines, ...more, '  recto media add FOLDER takes them from a folder, found by their hashes.'];
}
