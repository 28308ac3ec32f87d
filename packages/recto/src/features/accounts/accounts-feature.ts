import { authTables } from '../../auth/auth-tables.ts';
import { authOperations } from '../../http/auth/auth-operations.ts';
import { defineFeature } from '../feature.ts';

/** Accounts, sessions and API tokens. */
export const accounts = defineFeature({
  name: 'accounts',
  tables: authTables,
  operations: ({ auth, settings }) => authOperations(auth, settings.cmsMaxPageSize),
});
