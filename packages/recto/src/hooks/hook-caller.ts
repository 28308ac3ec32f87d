import { type Caller, callerId, callerTenant, callerVerified, type Role } from '../base/caller.ts';

/** Who asks, as hooks and routes are shown. */
export interface HookCaller {
  readonly kind: 'anonymous' | 'account' | 'api_token' | 'system';
  /** Null for anonymous callers and the service itself. */
  readonly id: string | null;
  readonly role: Role | null;
  readonly email: string | null;
  readonly username: string | null;
  /** Whether an admin has confirmed whose email address it is; null for callers that are no account. */
  readonly verified: boolean | null;
  readonly tenant: string | null;
}

export function hookCaller(caller: Caller): HookCaller {
  const isAccount = caller.kind === 'account';
  return {
    kind: caller.isSystem === true ? 'system' : caller.kind,
    id: callerId(caller),
    role: caller.kind === 'anonymous' ? null : caller.role,
    email: isAccount ? (caller.email ?? null) : null,
    username: isAccount ? (caller.username ?? null) : null,
    verified: callerVerified(caller),
    tenant: callerTenant(caller),
  };
}
