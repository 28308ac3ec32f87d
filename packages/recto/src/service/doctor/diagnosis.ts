import manifest from '../../../package.json' with { type: 'json' };
import { FatalError } from '../../base/fatal-error.ts';
import type { Terminal } from '../../base/terminal.ts';
import {
  type DatabaseLocation,
  databaseLocation,
  readSettings,
  type Settings,
  settingsFileName,
} from '../../config/settings.ts';
import { engineState } from '../../database/engine/engine-state.ts';
import { readAsItIs } from '../../database/read-database.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { type Finding, fail, ok, warn } from '../../features/finding.ts';
import { features } from '../../features/index.ts';
import type { Installation } from '../../features/installation.ts';
import { ownTypes } from '../../features/own-types.ts';
import { readDeployed } from '../definitions.ts';
import { rectoTables } from '../recto-tables.ts';
import { readStored, servedTypes } from '../served-types.ts';
import { typesText } from '../types-text.ts';
import { databaseFinding, replicasFinding, schemaFinding } from './database-checks.ts';
import { fileRightsFinding, folderFinding, spaceFinding } from './folder-checks.ts';
import { portFinding } from './port-check.ts';

/** Checks everything that a start needs, and changes nothing. What depends on settings is checked only if they are valid. */
export async function diagnose(terminal: Terminal): Promise<readonly Finding[]> {
  const runtime = runtimeFinding(Bun.version, manifest.dependencies.bun);
  const settings = refusedOr(() => readSettings(terminal.environment, settingsFileName));
  if (settings instanceof FatalError)
    return [runtime, fail('settings', settings.message, 'docs/settings.md lists every setting.')];
  return [runtime, ok('settings', 'no errors'), ...(await findings(settings, terminal.environment))];
}

async function findings(settings: Settings, environment: Terminal['environment']): Promise<readonly Finding[]> {
  const location = databaseLocation(settings);
  const replicas = settings.databaseReplicaUrls;
  // A database that cannot be read has a finding of its own.
  const stored = await readStored(settings).catch(() => ({ stored: [], roles: [] }));
  const types = await readDeployed(settings)
    .then((deployed) => servedTypes(deployed, stored).types)
    .catch(refusalOrThrow);
  const loaded = types instanceof FatalError ? undefined : types;
  return [
    definitionsFinding(types, settings),
    folderFinding(settings),
    fileRightsFinding(settings, location),
    await databaseFinding(location),
    ...(replicas.length > 0 ? [await replicasFinding(location, replicas)] : []),
    await schemaFinding(location, loaded),
    ...(await featureFindings({ settings, environment, types: loaded, read: readerOf(location) })),
    ...(location.kind === 'sqlite' ? [spaceFinding(location.path)] : []),
    await portFinding(settings),
  ];
}

/** One after another, so that the requests of one check do not slow those of the next. */
async function featureFindings(installation: Installation): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const check of features.flatMap(({ checks = [] }) => checks)) found.push(await check(installation));
  return found;
}

const readerOf =
  (location: DatabaseLocation): Installation['read'] =>
  (table, find) =>
    readAsItIs(location, async (executor, dialect) => {
      const { present } = await engineState(executor, dialect, rectoTables);
      return present.has(table) ? find(executor, dialect) : undefined;
    });

function definitionsFinding(types: ContentTypes | FatalError, settings: Settings): Finding {
  const check = 'definitions';
  if (types instanceof FatalError)
    return fail(check, types.message, 'docs/content-types.md lists what a file may hold.');
  return ok(check, typesText(settings, ownTypes(types.all)));
}

/** An older runtime than the one that is installed with the service may lack what it needs. */
export function runtimeFinding(running: string, tested: string): Finding {
  const check = 'runtime';
  const detail = `Bun ${running}`;
  if (Bun.semver.order(running, tested) >= 0) return ok(check, detail);
  return warn(check, `${detail}, older than ${tested}`, 'Run bin/recto, which takes the Bun that "npm ci" installs.');
}

function refusedOr<T>(read: () => T): T | FatalError {
  try {
    return read();
  } catch (error) {
    return refusalOrThrow(error);
  }
}

function refusalOrThrow(error: unknown): FatalError {
  if (error instanceof FatalError) return error;
  throw error;
}
