import type { TransferRemark, TransferReport } from '../transfer/transfer-report.ts';

/** The closing table of a transfer, for a person. */
export function transferSummary({ dryRun, counts, skipped, changed }: TransferReport, headline: string): string {
  const rows = counts.map(({ kind, taken, before, skipped: left }) => [kind, `${taken}`, `${before}`, `${left}`]);
  const lines = [headline, '', ...table([['', 'taken', 'there before', 'skipped'], ...rows])];
  if (skipped.length > 0) lines.push('', 'Skipped', ...remarkLines(skipped));
  if (changed.length > 0) lines.push('', 'Changed on the way', ...remarkLines(changed));
  if (dryRun) lines.push('', 'This was a dry run: nothing was stored.');
  return `${lines.join('\n')}\n`;
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
