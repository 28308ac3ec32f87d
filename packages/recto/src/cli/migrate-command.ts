import { countOf } from '../base/count-of.ts';
import { FatalError } from '../base/fatal-error.ts';
import type { Terminal } from '../base/terminal.ts';
import { UsageFault } from '../base/usage-fault.ts';
import {
  type DatabaseLocation,
  databaseLocation,
  readSettings,
  type Settings,
  settingsFileName,
} from '../config/settings.ts';
import { readAsItIs } from '../database/read-database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { migrateSchema } from '../migrations/migrate-schema.ts';
import { planSchema, type SchemaPlan } from '../migrations/plan/schema-plan.ts';
import type { UnusedDrops } from '../migrations/plan/unused-plan.ts';
import { refusalText } from '../migrations/sync-schema.ts';
import { loadServed } from '../service/served-types.ts';
import { openServiceDatabase } from '../service/service-database.ts';
import { type Backup, writeBackup, writeDatedBackup } from '../transfer/backup-file.ts';
import { type Answer, type AnswerOptions, answer } from './answer.ts';
import { rowsText } from './file-rows.ts';
import { planAnswer, planJson, planText, wayOf } from './migrate-text.ts';
import { refuseWhileOpen } from './refuse-while-open.ts';

export interface PlanOptions extends AnswerOptions {
  readonly drop?: readonly string[];
  readonly dropUnused?: boolean;
}

export interface ApplyOptions extends PlanOptions {
  readonly yes?: boolean;
  /** False: no backup. */
  readonly backup?: string | boolean;
  readonly dryRun?: boolean;
}

/** How long to wait for another command that has the database open, in milliseconds. */
const patienceMs = 5_000;

/** `recto migrate plan`: changes nothing. Resolves with the exit code. */
export const planMigration = (terminal: Terminal, options: PlanOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const target = await findTarget(terminal);
    const plan = await planOf(target, dropsOf(options));
    return plan === undefined ? nothingStored : planAnswer(plan);
  });

/** `recto migrate apply`. Resolves with the exit code. */
export const applyMigration = (terminal: Terminal, options: ApplyOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const target = await findTarget(terminal);
    const drops = dropsOf(options);
    const plan = await planOf(target, drops);
    if (plan === undefined) return nothingStored;
    const way = wayOf(plan);
    if (options.dryRun === true || way === 'current') return planAnswer(plan);
    if (way === 'refused') throw new FatalError(refusalText(plan));
    const { location } = target;
    if (way === 'apply') {
      requireBackup(location, options);
      await agree(terminal, plan, options);
    }
    // A running service would keep writing by the earlier definitions, into columns that have changed.
    await refuseWhileOpen(location);
    const done = await planOf(target, drops);
    // Another command has already done it.
    if (done !== undefined && wayOf(done) === 'current') return planAnswer(done);
    const backup = way === 'apply' ? backUp(location, options) : undefined;
    return applied(await apply(target, drops), backup);
  });

interface Target {
  readonly settings: Settings;
  readonly location: DatabaseLocation;
  readonly types: ContentTypes;
}

/** The configured database and definitions. */
async function findTarget(terminal: Terminal): Promise<Target> {
  const settings = readSettings(terminal.environment, settingsFileName);
  const { types } = await loadServed(settings);
  return { settings, location: databaseLocation(settings), types };
}

const nothingStored: Answer = {
  text: 'There is no database yet; the first start creates it.\n',
  json: { state: 'current', changes: [], unused: [], sql: [] },
};

const dropsOf = ({ drop = [], dropUnused = false }: PlanOptions): UnusedDrops => ({ all: dropUnused, names: drop });

/** Plans against one snapshot, since a service may be writing; undefined where nothing is stored yet. */
const planOf = ({ location, types }: Target, drops: UnusedDrops): Promise<SchemaPlan | undefined> =>
  readAsItIs(location, (executor, dialect) => planSchema(executor, dialect, types, drops));

async function agree(terminal: Terminal, plan: SchemaPlan, { yes, json }: ApplyOptions): Promise<void> {
  if (yes === true) return;
  if (terminal.ask === undefined)
    throw new UsageFault('There is no terminal to ask at: look at "recto migrate plan", and agree with --yes.');
  // On stderr, so that the person sees the question even if stdout goes to a program.
  (json === true ? terminal.err : terminal.out)(planText(plan));
  const reply = await terminal.ask('Make these changes? [y/N] ');
  if (!/^y(es)?$/i.test(reply.trim())) throw new FatalError('Nothing was changed.');
}

/** PostgreSQL is not backed up to a file here: the user confirms that a backup exists or is not needed. */
function requireBackup(location: DatabaseLocation, { backup }: ApplyOptions): void {
  if (location.kind === 'sqlite' || backup === false) return;
  throw new FatalError(
    'A PostgreSQL database is not backed up from here: create a backup with pg_dump (see docs/scaling.md), and then run this with --no-backup. Nothing was changed.',
  );
}

/** Undefined where no backup is made here. */
function backUp(location: DatabaseLocation, { backup }: ApplyOptions): Backup | undefined {
  if (location.kind !== 'sqlite' || backup === false) return undefined;
  return typeof backup === 'string'
    ? writeBackup(location.path, backup)
    : writeDatedBackup(location.path, 'before-migration');
}

async function apply({ settings, types }: Target, drops: UnusedDrops) {
  const database = await openServiceDatabase(settings, { busyTimeoutMs: patienceMs, connections: 2 });
  try {
    return await migrateSchema(database, types, drops);
  } finally {
    await database.close();
  }
}

function applied({ plan, records }: Awaited<ReturnType<typeof apply>>, backup: Backup | undefined): Answer {
  if (wayOf(plan) === 'current') return planAnswer(plan);
  const kept = backup === undefined ? '' : `Backed up to ${backup.file}: ${rowsText(backup)}, checked.\n`;
  const counts = Object.entries(records).map(([type, count]) => `  ${type}: ${countOf(count, 'record')}\n`);
  return {
    text: `${kept}Done: ${countOf(plan.notes.length, 'change')}. Every record is there that was kept:\n${counts.join('')}`,
    json: { ...planJson(plan), state: 'applied', records, backup: backup ?? null },
  };
}
