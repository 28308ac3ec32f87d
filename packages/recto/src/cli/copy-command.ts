import { existsSync, realpathSync } from 'node:fs';
import { countOf } from '../base/count-of.ts';
import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { UsageFault } from '../base/usage-fault.ts';
import { databaseUrl } from '../config/setting-type.ts';
import { type DatabaseLocation, databaseLocation, readSettings, settingsFileName } from '../config/settings.ts';
import { describeLocation, openDatabase } from '../database/open-database.ts';
import { readAsItIs } from '../database/read-database.ts';
import { rectoTables } from '../service/recto-tables.ts';
import { type CopyReport, copyDatabase, openCopySource } from '../transfer/copy/copy-database.ts';
import { type AnswerOptions, answer } from './answer.ts';
import { ProgressBar } from './progress-bar.ts';
import { refuseWhileOpen } from './refuse-while-open.ts';
import { textTable } from './text-table.ts';
import { transferFailure } from './transfer-failure.ts';

export interface CopyCommandOptions extends AnswerOptions {
  /** Default: the database of the settings. */
  readonly from?: string;
  readonly to: string;
  readonly restart?: boolean;
}

/** How long a write waits for others, in milliseconds: no request depends on it. */
const patienceMs = 60_000;

/** `recto copy`: copies a complete database into an empty one. Resolves with the exit code. */
export const copyTo = (terminal: Terminal, options: CopyCommandOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const from = sourceOf(terminal, options);
    const to = locationOf('--to', options.to);
    refuseSame(from, to);
    const bar = new ProgressBar(terminal);
    try {
      const { report, changed } = await copy(from, to, { restart: options.restart === true, progress: bar.report });
      bar.clear();
      return {
        text: copyText(from, to, report, changed),
        json: { from: describeLocation(from), to: describeLocation(to), ...report, changed },
      };
    } catch (error) {
      bar.clear();
      const message = transferFailure(error);
      throw message === undefined ? error : new FatalError(message, error);
    }
  });

interface Mark {
  readonly mark: string | null;
}

interface Copied {
  readonly report: CopyReport;
  /** Whether the source was written to since the copied snapshot. */
  readonly changed: boolean;
}

async function copy(
  from: DatabaseLocation,
  to: DatabaseLocation,
  options: Pick<Parameters<typeof copyDatabase>[1], 'restart' | 'progress'>,
): Promise<Copied> {
  const copied = await readAsItIs(from, async (executor, dialect) => {
    const source = await openCopySource(executor, dialect, rectoTables);
    if (to.kind === 'postgres' || existsSync(to.path)) await refuseWhileOpen(to);
    const target = await openDatabase(to, {
      engine: rectoTables,
      filling: true,
      connections: 2,
      busyTimeoutMs: patienceMs,
    });
    try {
      const report = await copyDatabase(source, { target, ...options });
      // The executor still sees the snapshot.
      return { report, before: await executor.first<Mark>(dialect.changeMark) };
    } finally {
      await target.close();
    }
  });
  if (copied === undefined) throw new FatalError(`There is no database in ${describeLocation(from)}.`);
  const after = await readAsItIs(from, async (executor, dialect) => executor.first<Mark>(dialect.changeMark));
  return { report: copied.report, changed: after?.mark !== copied.before?.mark };
}

function sourceOf(terminal: Terminal, { from }: CopyCommandOptions): DatabaseLocation {
  return from === undefined
    ? databaseLocation(readSettings(terminal.environment, settingsFileName))
    : locationOf('--from', from);
}

/** The input may contain a password, so the error does not repeat it. */
function locationOf(option: string, text: string): DatabaseLocation {
  const reading = databaseUrl.read(text);
  if ('value' in reading) return reading.value;
  throw new UsageFault(`${option} must be ${reading.expected}.`);
}

function refuseSame(from: DatabaseLocation, to: DatabaseLocation): void {
  const same =
    from.kind === 'postgres'
      ? to.kind === 'postgres' && from.url === to.url
      : to.kind === 'sqlite' &&
        existsSync(from.path) &&
        existsSync(to.path) &&
        realpathSync(from.path) === realpathSync(to.path);
  if (same) throw new FatalError('The source and the target are the same database.');
}

function copyText(
  from: DatabaseLocation,
  to: DatabaseLocation,
  { tables, resumed }: CopyReport,
  changed: boolean,
): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const cells = tables.map(({ table, rows, checksum }) => [table, String(rows), checksum]);
  return [
    textTable([['TABLE', 'ROWS', 'CHECKSUM'], ...cells]),
    `Copied ${describeLocation(from)} to ${describeLocation(to)}: ${countOf(rows, 'row')}, and every checksum agrees.\n`,
    resumed === 0 ? '' : `Of these, ${countOf(resumed, 'row')} had been brought in before.\n`,
    changed ? 'The source was written to meanwhile: what came after the start is not in the copy.\n' : '',
  ].join('');
}
