import type { ReleaseAccount } from '../../auth/accounts.ts';
import type { AuthServices } from '../../auth/auth-services.ts';
import { builtInRoleNames } from '../../base/caller.ts';
import type { Operation } from '../../http/operation.ts';
import { accountNameOperation } from './account-name-operation.ts';
import { apiTokenOperations } from './api-token-operations.ts';
import { passkeyOperations } from './factors/passkey-operations.ts';
import { secondFactorOperations } from './factors/second-factor-operations.ts';
import { stepUpOperations } from './factors/step-up-operations.ts';
import { totpOperations } from './factors/totp-operations.ts';
import { flowOperations } from './flow-operations.ts';
import { identityOperations } from './identity-operations.ts';
import { invitationOperations, type LinkOf } from './invitation-operations.ts';
import { profileOperations } from './profile/profile-operations.ts';
import { providerOperations, type ReturnTargets } from './provider-operations.ts';
import { ScopeNames } from './scope-names.ts';
import { accountSessionsOperations } from './sessions/account-sessions-operations.ts';
import { sessionOperations } from './sessions/session-operations.ts';
import { userOperations } from './user-operations.ts';

/** All operations on accounts, sessions and API tokens. `maxPageSize` is RECTO_CMS_MAX_PAGE_SIZE; `release` sees to records that name an account; `roles`: the names of all roles. */
export const authOperations = (
  services: AuthServices,
  maxPageSize = 100,
  release: ReleaseAccount = async () => () => {},
  linkOf: LinkOf = (action, token) => `/account/${action}#${token}`,
  returns: ReturnTargets = { targets: [], admin: undefined },
  roles: readonly string[] = builtInRoleNames,
  scopes: ScopeNames = new ScopeNames([]),
): readonly Operation[] => [
  ...sessionOperations(services),
  ...profileOperations(services),
  accountNameOperation(services),
  ...flowOperations(services),
  ...providerOperations(services, returns),
  ...identityOperations(services, returns),
  ...invitationOperations(services, linkOf),
  ...secondFactorOperations(services),
  ...passkeyOperations(services),
  ...totpOperations(services),
  ...stepUpOperations(services),
  ...accountSessionsOperations(services),
  ...userOperations(services, maxPageSize, release, roles),
  ...apiTokenOperations(services, maxPageSize, roles, scopes),
];
