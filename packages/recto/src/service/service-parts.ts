import type { AuthServices } from '../auth/auth-services.ts';
import { draftFirstAdmin, type FirstAdminDraft } from '../auth/first-admin.ts';
import { loadSecret } from '../auth/secret-store.ts';
import type { Logger } from '../base/logger.ts';
import type { Settings } from '../config/settings.ts';
import type { DeployedDefinitions } from '../content-types/definition-set.ts';
import type { LiveDefinitions } from '../content-types/live-definitions.ts';
import type { Database } from '../database/database.ts';
import { openServiceAuth } from './service-auth.ts';
import { openServiceDefinitions } from './service-definitions.ts';

/** What a start has of its database before anything listens. */
export interface ServiceParts {
  readonly secret: string;
  readonly auth: AuthServices;
  readonly definitions: LiveDefinitions;
  /** Undefined where there is an admin. */
  readonly firstAdmin: FirstAdminDraft | undefined;
}

/** Brings the database up to what is deployed, once for all processes that serve it. Rejects with a `StartRefused`. */
export async function openServiceParts(
  database: Database,
  deployed: DeployedDefinitions,
  { settings, log }: { readonly settings: Settings; readonly log: Logger },
): Promise<ServiceParts> {
  const secret = await loadSecret({ configured: settings.secret, dataDir: settings.dataDir });
  const auth = await openServiceAuth(database, { settings, secret, log });
  // A thread hashes the password while the tables of the content types are made.
  const [firstAdmin, definitions] = await Promise.all([
    draftFirstAdmin(auth, { email: settings.adminEmail, password: settings.adminPassword }),
    openServiceDefinitions(database, deployed, log),
  ]);
  return { secret, auth, definitions, firstAdmin };
}
