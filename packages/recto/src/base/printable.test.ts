import { expect, test } from 'bun:test';
import { transferFailure } from '../cli/transfer-failure.ts';
import { transferSummary } from '../cli/transfer-summary.ts';
import { TransferRefused } from '../transfer/transfer-refused.ts';
import { oneLine, printable } from './printable.ts';

test('what would control a terminal is visible, and lines stay', () => {
  expect(printable('a\u001b[2Jb\r\n\tc\u009bd\u0000é')).toBe('a\\x1b[2Jb\\x0d\n\tc\\x9bd\\x00é');
});

test('what stands in one line ends none', () => {
  expect(oneLine(' a\r\nb\u2028c\u0000\u0085d ')).toBe('a b c d');
});

test('reports of what was made elsewhere do not control the terminal', () => {
  const skipped = [{ kind: 'files', text: 'missing', count: 1, examples: ['\u001b]0;x\u0007'] }];
  const report = { dry_run: false, counts: [], skipped, changed: [], failures: [] };
  expect(transferSummary(report, 'Imported')).toContain('(\\x1b]0;x\\x07)');
  expect(transferFailure(new TransferRefused('The collection \u001b[2J has no table.'))).not.toContain('\u001b');
});
