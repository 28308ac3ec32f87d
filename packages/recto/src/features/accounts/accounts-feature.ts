import { authTables } from '../../auth/auth-tables.ts';
import { profileSingular } from '../../definition/profile/profile-type.ts';
import { authOperations } from '../../http/auth/auth-operations.ts';
import { publicProfileOperation } from '../../http/auth/public-profile-operation.ts';
import { defineFeature } from '../feature.ts';

/** Accounts, their profiles, sessions and API tokens. */
export const accounts = defineFeature({
  name: 'accounts',
  tables: authTables,
  operations: ({ auth, records, settings }) => [
    ...authOperations(auth, settings.cmsMaxPageSize, (transaction, { id, by, now }) =>
      records.releaseReferences(
        transaction,
        { type: records.types.get(profileSingular), id, what: 'account', namesPlaces: true },
        { caller: by, now, action: 'delete' },
      ),
    ),
    publicProfileOperation(records),
  ],
});
