import { authOperations } from '../../http/auth/auth-operations.ts';
import { defineFeature } from '../feature.ts';

/** Accounts, sessions and API tokens. */
export const accounts = defineFeature({
  name: 'accounts',
  operations: ({ auth, settings }) => authOperations(auth, settings.cmsMaxPageSize),
});
