import { authTables } from '../../auth/auth-tables.ts';
import { authOperations } from '../../http/auth/auth-operations.ts';
import { publicProfileOperation } from '../../http/auth/public-profile-operation.ts';
import { defineFeature } from '../feature.ts';

/** Accounts, their profiles, sessions and API tokens. */
export const accounts = defineFeature({
  name: 'accounts',
  tables: authTables,
  operations: ({ auth, records, settings }) => [
    ...authOperations(auth, settings.cmsMaxPageSize),
    publicProfileOperation(records),
  ],
});
