import type { ReleaseAccount } from '../../auth/accounts.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import { authTables } from '../../auth/auth-tables.ts';
import { accountMailKind } from '../../auth/flows/account-mail-job.ts';
import { AccountMails } from '../../auth/flows/account-mails.ts';
import { identityTables } from '../../auth/providers/identity-tables.ts';
import { profileSingular } from '../../definition/profile/profile-type.ts';
import { defineFeature, type FeatureContext } from '../feature.ts';
import { outboxOf } from '../mail/mail-outbox.ts';
import { accountLink } from './account-link.ts';
import { accountMount } from './account-mount.ts';
import { authOperations } from './auth-operations.ts';
import { publicProfileOperation } from './profile/public-profile-operation.ts';
import { providersOf, returnTargetsOf } from './sign-in-providers.ts';

/** With mails where mail is on, and the providers. */
const authWithMails = (context: FeatureContext): AuthServices => ({
  ...context.auth,
  providers: providersOf(context),
  ...(outboxOf(context) === undefined ? {} : { mails: new AccountMails(context.jobs) }),
});

/** Accounts, their profiles, sessions and API tokens. */
export const accounts = defineFeature({
  name: 'accounts',
  tables: [...authTables, ...identityTables],
  operations: (context) => {
    const { records, settings } = context;
    const release: ReleaseAccount = (transaction, { id, by, now }) =>
      records.releaseReferences(
        transaction,
        { type: records.types.get(profileSingular), id, what: 'account', namesPlaces: true },
        { caller: by, now, action: 'delete' },
      );
    const link = accountLink(settings);
    return [
      ...authOperations(authWithMails(context), settings.cmsMaxPageSize, release, link, returnTargetsOf(context)),
      publicProfileOperation(records),
    ];
  },
  mounts: ({ settings }) => (settings.accountUrl === undefined ? [accountMount()] : []),
  jobs: (context) => {
    const outbox = outboxOf(context);
    return outbox === undefined ? [] : [accountMailKind(context.auth, outbox, accountLink(context.settings))];
  },
});
