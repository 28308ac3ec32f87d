import { existsSync } from 'node:fs';
import type { PasswordHasher } from '../auth/password-hasher.ts';
import { FatalError } from '../base/fatal-error.ts';
import type { Logger } from '../base/logger.ts';
import { settingTable } from '../config/setting-table.ts';
import type { Settings } from '../config/settings.ts';
import type { DeployedDefinitions } from '../content-types/definition-set.ts';
import type { Database } from '../database/database.ts';
import type { ContentTypeDefinition } from '../definition/define-content-type.ts';
import type { Feature } from '../features/feature.ts';
import { features } from '../features/index.ts';
import { checkTypes } from '../hooks/check-types.ts';
import { beginHooks, DeployedCode } from '../hooks/deployed-code.ts';
import { loadCode } from '../hooks/load-code.ts';
import { type LoadedCode, noCode } from '../hooks/loaded-code.ts';
import { Metrics } from '../http/metrics/metrics.ts';
import type { WalkBounds } from '../query/list-query.ts';
import { deployedObjects, readDeployed, refuseWrongFiles } from './definitions.ts';
import { prepareDatabase } from './prepared-database.ts';
import { Service } from './service.ts';
import { openServingDatabase } from './service-database.ts';
import type { ServiceGroup } from './service-parts.ts';

/** As `RectoOptions`, and parts that a worker or a test has already. */
export interface ServiceOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** Default: all features of the product. */
  readonly features?: readonly Feature[];
  readonly definitions?: readonly ContentTypeDefinition[] | undefined;
  /** In place of `definitions`: what was read before, built-in types included. */
  readonly deployed?: DeployedDefinitions;
  /** Opened before; stays open when the service stops. */
  readonly database?: Database;
  readonly passwords?: PasswordHasher;
  /** Where this is one of several workers. */
  readonly group?: ServiceGroup;
  /** Milliseconds since 1970; default: now. */
  readonly startedAt?: number;
  /** The clock of jobs and of what is kept for a time, in milliseconds since 1970. */
  readonly now?: () => number;
  /** How long a job stays with a process that has died. */
  readonly leaseMs?: number;
  /** So many matches of a search are counted and ranked; default: `defaultMostMatches`. */
  readonly mostMatches?: number;
  /** How far lists look for a page by its related records; default: `defaultWalk`. */
  readonly walk?: WalkBounds;
  /** `start` follows right away. */
  readonly startsNow?: boolean;
}

/** Opens a service that does not listen yet. Rejects with a `FatalError`; nothing is left open then. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { settings, log, passwords, group, startsNow } = options;
  const startedAt = options.startedAt ?? Date.now();
  const deployed = await deployedOf(options);
  const code = await codeOf(options);
  await checkMails(settings);
  const metrics = new Metrics();
  const database = options.database ?? (await openServingDatabase(settings, metrics, log));
  const close = async (): Promise<void> => (options.database === undefined ? database.close() : undefined);
  try {
    const prepared = await prepareDatabase(database, deployed, {
      settings,
      log,
      passwords,
      shared: group,
      startsNow: startsNow === true,
    });
    checkTypes(code, prepared.definitions.current.types);
    await beginHooks(database, code);
    return new Service({
      ...{ features, ...options, ...prepared, metrics, startedAt, close },
      code: new DeployedCode(code),
    });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where mail is on, templates of the project are right, or the service does not start. */
async function checkMails({ mailUrl, mailsDir }: Settings): Promise<void> {
  if (mailUrl === undefined || !existsSync(mailsDir)) return;
  const { ownTemplateFaults } = await import('../mail/templates/own-templates.ts');
  const faults = await ownTemplateFaults(mailsDir);
  if (faults.length > 0)
    throw new FatalError(`Templates of mails are not right:\n${faults.map((one) => `  ${one}`).join('\n')}`);
}

/** A program that passes its definitions as objects has code only in folders that it names. */
async function codeOf({ settings, definitions }: ServiceOptions): Promise<LoadedCode> {
  const { hooksDir, routesDir, jobsDir } = settings;
  const isNamed = hooksDir !== settingTable.hooksDir.default || routesDir !== undefined || jobsDir !== undefined;
  return definitions === undefined || isNamed ? loadCode(settings) : noCode;
}

async function deployedOf({ settings, definitions, deployed, database }: ServiceOptions): Promise<DeployedDefinitions> {
  const found =
    deployed ?? (definitions === undefined ? await readDeployed(settings) : deployedObjects(definitions, settings));
  if (database === undefined) refuseWrongFiles(settings, found);
  return found;
}
