import type { AuthServices } from '../auth/auth-services.ts';
import { draftFirstAdmin, type FirstAdminDraft } from '../auth/first-admin.ts';
import { loadSecret } from '../auth/secret-store.ts';
import type { DeployedDefinitions } from '../content-types/definition-set.ts';
import type { LiveDefinitions } from '../content-types/live-definitions.ts';
import type { Database } from '../database/database.ts';
import { openServiceAuth, type ServiceAuthParts } from './service-auth.ts';
import { openServiceDefinitions } from './service-definitions.ts';

/** A database migrated to the deployment, and what a service needs from it. */
export interface PreparedDatabase {
  readonly database: Database;
  readonly secret: string;
  readonly auth: AuthServices;
  readonly definitions: LiveDefinitions;
  /** The first admin, not yet stored; undefined where there is an admin. */
  firstAdmin(): Promise<FirstAdminDraft | undefined>;
}

export interface PrepareOptions extends Omit<ServiceAuthParts, 'secret'> {
  /** The service starts right away: hash the first admin's password in a thread while the tables of the content types are created. */
  readonly startsNow?: boolean;
}

/** Migrates the database to the deployment. Rejects with a `FatalError`. */
export async function prepareDatabase(
  database: Database,
  deployed: DeployedDefinitions,
  { startsNow = false, ...parts }: PrepareOptions,
): Promise<PreparedDatabase> {
  const { settings, log } = parts;
  const secret = await loadSecret({ configured: settings.secret, dataDir: settings.dataDir });
  const auth = openServiceAuth(database, { ...parts, secret });
  const draft = () => draftFirstAdmin(auth, { email: settings.adminEmail, password: settings.adminPassword });
  const [drafted, definitions] = await Promise.all([
    startsNow ? draft() : undefined,
    openServiceDefinitions(database, deployed, log),
  ]);
  return { database, secret, auth, definitions, firstAdmin: startsNow ? async () => drafted : draft };
}
