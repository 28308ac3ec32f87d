import { countOf } from '../base/count-of.ts';
import { FatalError } from '../base/fatal-error.ts';
import { createLogger } from '../base/logger.ts';
import { exitCodes, type Terminal } from '../base/terminal.ts';
import { version } from '../base/version.ts';
import {
  type DatabaseLocation,
  databaseLocation,
  readSettings,
  type Settings,
  settingsFileName,
} from '../config/settings.ts';
import { type EngineState, engineState, newerText } from '../database/engine/engine-state.ts';
import { openDefinitions } from '../features/content-types/open-definitions.ts';
import { previewSchema } from '../migrations/sync-schema.ts';
import { readDeployed } from '../service/definitions.ts';
import { rectoTables } from '../service/recto-tables.ts';
import { loadServed, readDatabase } from '../service/served-types.ts';
import { openServiceDatabase } from '../service/service-database.ts';
import { type Backup, writeDatedBackup } from '../transfer/backup-file.ts';
import { type Answer, type AnswerOptions, answer } from './answer.ts';
import { rowsText } from './file-rows.ts';
import { refuseWhileOpen } from './refuse-while-open.ts';

export interface UpgradeOptions extends AnswerOptions {
  /** Changes nothing. */
  readonly check?: boolean;
  /** False: no backup. */
  readonly backup?: boolean;
}

/** `recto upgrade`: brings the database to this version without serving it. Resolves with the exit code. */
export const upgrade = (terminal: Terminal, options: UpgradeOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const settings = readSettings(terminal.environment, settingsFileName);
    const found = await examine(settings);
    if (found === undefined)
      return { text: 'There is no database yet; the first start creates it.\n', json: { state: 'new' } };
    if (options.check === true || found.state !== 'start') return foundAnswer(found);
    const location = databaseLocation(settings);
    await refuseWhileOpen(location);
    const backup = backUp(location, options);
    await bringUp(settings);
    return upgraded(found, backup);
  });

type UpgradeState = 'current' | 'start' | 'apply' | 'refused';

interface Found {
  readonly state: UpgradeState;
  /** Migrations of Recto's own tables that the database has not been through. */
  readonly migrations: number;
  /** Types whose tables a start creates or changes. */
  readonly types: readonly string[];
  /** What keeps a start from doing it by itself. */
  readonly obstacles: readonly string[];
}

/** What this version would do with the database; undefined where there is none. Rejects with a `FatalError` for a newer one. */
async function examine(settings: Settings): Promise<Found | undefined> {
  const engine = await readDatabase(settings, (reader, dialect) => engineState(reader, dialect, rectoTables));
  if (engine === undefined) return undefined;
  const newer = newerText(engine, rectoTables);
  if (newer !== undefined) throw new FatalError(`The database ${newer}: run that version, or restore a backup.`);
  const { types: served } = await loadServed(settings);
  const preview = await readDatabase(settings, (reader, dialect) => previewSchema(reader, dialect, served));
  const { refusals, waiting, created, changed } = preview ?? { refusals: [], waiting: [], created: [], changed: [] };
  const migrations = waitingMigrations(engine);
  const types = [...created, ...changed];
  return {
    migrations,
    types,
    obstacles: [...refusals, ...waiting],
    state: stateOf({ refused: refusals.length > 0, waits: waiting.length > 0, changes: migrations + types.length > 0 }),
  };
}

/** Tables that are missing are made in their present shape, without migrations. */
const waitingMigrations = ({ number = 0, present }: EngineState): number =>
  rectoTables.migrations.filter((migration) => migration.number > number && present.has(migration.table.name)).length +
  rectoTables.tables.filter(({ name }) => !present.has(name)).length;

function stateOf(found: {
  readonly refused: boolean;
  readonly waits: boolean;
  readonly changes: boolean;
}): UpgradeState {
  if (found.refused) return 'refused';
  if (found.waits) return 'apply';
  return found.changes ? 'start' : 'current';
}

function foundAnswer(found: Found): Answer {
  const { state } = found;
  return {
    ok: state !== 'refused',
    ...(state === 'apply' ? { exitCode: exitCodes.waiting } : {}),
    text: foundText(found),
    json: { ...found, version },
  };
}

function foundText({ state, migrations, types, obstacles }: Found): string {
  if (state === 'current') return `The database is that of this version, ${version}.\n`;
  const changes = [
    ...(migrations === 0 ? [] : [`  ${countOf(migrations, 'change')} of Recto's own tables`]),
    ...(types.length === 0 ? [] : [`  the tables of ${types.join(', ')}`]),
  ];
  const list =
    changes.length === 0
      ? ''
      : `The next start of version ${version} changes, in one transaction each:\n${changes.join('\n')}\n`;
  switch (state) {
    case 'start':
      return `${list}Nothing is lost by that. Back up first: there is no way back to the version before.\n`;
    case 'apply':
      return `${list}Some changes are made only when they are asked for, with "recto migrate apply":\n${indented(obstacles)}`;
    case 'refused':
      return `${list}Not possible with the stored data:\n${indented(obstacles)}`;
  }
}

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}\n`).join('');

/** PostgreSQL is not backed up from here: the user confirms that a backup exists or is not needed. */
function backUp(location: DatabaseLocation, { backup }: UpgradeOptions): Backup | undefined {
  if (backup === false) return undefined;
  if (location.kind === 'sqlite') return writeDatedBackup(location.path, 'before-upgrade');
  throw new FatalError(
    'A PostgreSQL database is not backed up from here: create a backup with pg_dump (see docs/scaling.md), and then run this with --no-backup. Nothing was changed.',
  );
}

/** What a start does before it serves. */
async function bringUp(settings: Settings): Promise<void> {
  const database = await openServiceDatabase(settings, { connections: 2 });
  try {
    const log = createLogger(settings.logLevel);
    const definitions = await openDefinitions(database, await readDeployed(settings), log);
    await definitions.settle();
  } finally {
    await database.close();
  }
}

function upgraded(found: Found, backup: Backup | undefined): Answer {
  const kept = backup === undefined ? '' : `Backed up to ${backup.file}: ${rowsText(backup)}, checked.\n`;
  return {
    text: `${kept}The database is now that of version ${version}.\n`,
    json: { ...found, version, state: 'upgraded', backup: backup ?? null },
  };
}
