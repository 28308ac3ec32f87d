import type { ReleaseAccount } from '../../auth/accounts.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import { authTables } from '../../auth/auth-tables.ts';
import { draftFirstAdmin, type FirstAdminDraft } from '../../auth/first-admin.ts';
import { accountMailKind } from '../../auth/flows/account-mail-job.ts';
import { identityTables } from '../../auth/providers/identity-tables.ts';
import { builtInRoleNames } from '../../base/caller.ts';
import { profileSingular } from '../../definition/profile/profile-type.ts';
import type { Records } from '../../records/records.ts';
import { defineFeature } from '../feature.ts';
import { mail } from '../mail/mail-feature.ts';
import { accountLink } from './account-link.ts';
import { accountMount } from './account-mount.ts';
import { authOperations } from './auth-operations.ts';
import { peopleOperation } from './people-operation.ts';
import { publicProfileOperation } from './profile/public-profile-operation.ts';
import { ScopeNames } from './scope-names.ts';
import { serviceAuth } from './service-auth.ts';
import { returnTargetsOf } from './sign-in-providers.ts';

/** What other features and the service need of accounts. */
export interface Accounts {
  readonly auth: AuthServices;
  /** The first admin, not yet stored; undefined where there is an admin. */
  firstAdmin(): Promise<FirstAdminDraft | undefined>;
}

/** Accounts, their profiles, sessions and API tokens. */
export const accounts = defineFeature({
  name: 'accounts',
  tables: [...authTables, ...identityTables],
  checks: [async ({ settings }) => (await import('./providers-check.ts')).providersFinding(settings)],
  prepare: ({ passwords, startsNow }) => ({ passwords, startsNow }),
  async create(core, { passwords, startsNow }) {
    const { settings } = core;
    const auth = await serviceAuth(core, passwords);
    const outbox = await core.use(mail);
    const link = accountLink(settings);
    const draft = () => draftFirstAdmin(auth, { email: settings.adminEmail, password: settings.adminPassword });
    // Its password is hashed in a thread while the tables of the content types are created.
    const drafted = startsNow ? draft() : undefined;
    // Whoever asks for it gets the error; nobody does where the start fails for another reason.
    drafted?.catch(() => undefined);
    const service: Accounts = { auth, firstAdmin: () => drafted ?? draft() };
    return {
      service,
      operations: ({ records, types }) => [
        ...authOperations(
          auth,
          settings.cmsMaxPageSize,
          releaseIn(records),
          link,
          returnTargetsOf(settings),
          [...builtInRoleNames, ...types.ownRoles.all.map(({ name }) => name)],
          new ScopeNames(types.all),
        ),
        publicProfileOperation(records),
        peopleOperation(auth, types),
      ],
      mounts: () => (settings.accountUrl === undefined ? [accountMount()] : []),
      jobs: () => (outbox === undefined ? [] : [accountMailKind(auth, outbox, link)]),
    };
  },
});

/** Takes an account out of the records that refer to it. */
const releaseIn =
  (records: Records): ReleaseAccount =>
  (transaction, { id, by, now }) =>
    records.releaseReferences(
      transaction,
      { type: records.types.get(profileSingular), id, what: 'account', namesPlaces: true },
      { caller: by, now, action: 'delete' },
    );
