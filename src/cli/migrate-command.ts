import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { databasePath, readSettings, settingsFileName } from '../config/settings.ts';
import { migrateSchema } from '../database/schema/migrate-schema.ts';
import { planSchema, type SchemaPlan } from '../database/schema/schema-plan.ts';
import { refusalText } from '../database/schema/sync-schema.ts';
import type { UnusedDrops } from '../database/schema/unused-plan.ts';
import { holdSqliteFile } from '../database/sqlite/sqlite-copy.ts';
import { openSqliteDatabase } from '../database/sqlite/sqlite-database.ts';
import { sqliteDialect } from '../database/sqlite/sqlite-dialect.ts';
import { openSqliteReader } from '../database/sqlite/sqlite-file.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { StartRefused } from '../errors/start-refused.ts';
import { type Answer, type AnswerOptions, answer } from './answer.ts';
import { type Backup, datedName, writeBackup } from './backup-file.ts';
import { rowsText } from './file-rows.ts';
import { planAnswer, planJson, planText, wayOf } from './migrate-text.ts';
import { loadServed } from './served-types.ts';
import type { Terminal } from './terminal.ts';
import { UsageFault } from './usage-fault.ts';
import { countOf } from './welcome.ts';

export interface PlanOptions extends AnswerOptions {
  readonly drop?: readonly string[];
  readonly dropUnused?: boolean;
}

export interface ApplyOptions extends PlanOptions {
  readonly yes?: boolean;
  /** False: none. */
  readonly backup?: string | boolean;
  readonly dryRun?: boolean;
}

/** How long to wait for another command that has the database open, in milliseconds. */
const patienceMs = 5_000;

/** `recto migrate plan`: changes nothing. Resolves with the exit code. */
export const planMigration = (terminal: Terminal, options: PlanOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const target = await findTarget(terminal);
    return target === undefined ? nothingStored : planAnswer(await planOf(target, dropsOf(options)));
  });

/** `recto migrate apply`. Resolves with the exit code. */
export const applyMigration = (terminal: Terminal, options: ApplyOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const target = await findTarget(terminal);
    if (target === undefined) return nothingStored;
    const drops = dropsOf(options);
    const plan = await planOf(target, drops);
    const way = wayOf(plan);
    if (options.dryRun === true || way === 'current') return planAnswer(plan);
    if (way === 'refused') throw new StartRefused(refusalText(plan));
    if (way === 'apply') await agree(terminal, plan, options);
    await refuseWhileOpen(target.path);
    const done = await planOf(target, drops);
    // Another command has done it meanwhile.
    if (wayOf(done) === 'current') return planAnswer(done);
    const backup = way === 'apply' && options.backup !== false ? backUp(target.path, options) : undefined;
    return applied(await apply(target, drops), backup);
  });

interface Target {
  readonly path: string;
  readonly types: ContentTypes;
}

/** The database and the definitions that the settings lead to; undefined where nothing is stored yet. */
async function findTarget(terminal: Terminal): Promise<Target | undefined> {
  const settings = readSettings(terminal.environment, settingsFileName);
  const { types } = await loadServed(settings);
  const path = databasePath(settings);
  return existsSync(path) ? { path, types } : undefined;
}

const nothingStored: Answer = {
  text: 'There is no database yet; the first start makes it.\n',
  json: { state: 'current', changes: [], unused: [], sql: [] },
};

const dropsOf = ({ drop = [], dropUnused = false }: PlanOptions): UnusedDrops => ({ all: dropUnused, names: drop });

/** Of one state of the database, which a service may be writing to. */
async function planOf({ path, types }: Target, drops: UnusedDrops): Promise<SchemaPlan> {
  const reader = openSqliteReader({ path, busyTimeoutMs: patienceMs });
  try {
    reader.execute('BEGIN');
    return await planSchema(reader, sqliteDialect, types, drops);
  } finally {
    reader.close();
  }
}

async function agree(terminal: Terminal, plan: SchemaPlan, { yes, json }: ApplyOptions): Promise<void> {
  if (yes === true) return;
  if (terminal.ask === undefined)
    throw new UsageFault('There is no terminal to ask at: look at "recto migrate plan", and agree with --yes.');
  // Where stdout is for a program, the person still sees what is asked.
  (json === true ? terminal.err : terminal.out)(planText(plan));
  const reply = await terminal.ask('Make these changes? [y/N] ');
  if (!/^y(es)?$/i.test(reply.trim())) throw new StartRefused('Nothing was changed.');
}

/**
 * A service that runs on the earlier definitions would go on to write by them, into columns that are others by then. Another
 * command that is about to end is waited for.
 */
async function refuseWhileOpen(path: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const hold = holdSqliteFile(path);
    if (hold !== undefined) return hold.release();
    if (performance.now() > deadline)
      throw new StartRefused(`Another process has ${path} open: stop the service first. Nothing was changed.`);
    await pause(100);
  }
}

const backUp = (path: string, { backup }: ApplyOptions): Backup =>
  writeBackup(path, typeof backup === 'string' ? backup : datedName(path, 'before-migration'));

async function apply({ path, types }: Target, drops: UnusedDrops) {
  const database = await openSqliteDatabase({ path, busyTimeoutMs: patienceMs });
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
