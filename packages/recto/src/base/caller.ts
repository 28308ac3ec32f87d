import type { TokenScopes } from './token-scopes.ts';

/** The roles that are built in, strongest first: `admin` everything, `editor` all content, `member` any other account. */
export const builtInRoleNames = ['admin', 'editor', 'member'] as const;
export type BuiltInRole = (typeof builtInRoleNames)[number];

/**
 * The name of a role: one that is built in, or one of the installation's own, which has the rights that it is granted and no others.
 * So a check names the roles that may, and never those that may not.
 */
export type Role = string;

export const isBuiltInRole = (role: Role): role is BuiltInRole => builtInRoleNames.some((each) => each === role);

/** What the caller is narrowed to; undefined: to nothing. */
export const callerScopes = (caller: Caller): TokenScopes | undefined =>
  caller.kind === 'api_token' ? caller.scopes : undefined;

/** An agent's tools, with the name that the agent's program gives itself, or a release that is published. */
export type Via =
  | { readonly kind: 'mcp'; readonly client: string | null }
  | { readonly kind: 'release'; readonly release: string }
  | { readonly kind: 'import' };

/** What a request says, whoever sent it. */
interface RequestFacts {
  /** The tenant that the caller belongs to; absent: none. */
  readonly tenant?: string;
  /** The tenant that the request names, for a caller who belongs to none. */
  readonly visited?: string;
  /** The id of the request, where it may change something. */
  readonly request?: string;
  /** The tag of the language that the request names; absent: none, so that it is about the default language. */
  readonly language?: string;
  /** The time as of which they read, a canonical datetime; absent: now. */
  readonly at?: string;
  /** What the caller goes through, where it is not the API itself. Kept with what it writes. */
  readonly via?: Via;
  /** Nobody's request: the service acts by itself. */
  readonly isSystem?: true;
}

/** Who sent the request. Created by `auth/` from the bearer token, read by access levels and rules. */
export type Caller = RequestFacts &
  (
    | { readonly kind: 'anonymous' }
    | {
        readonly kind: 'account';
        readonly id: string;
        readonly role: Role;
        readonly session: string;
        readonly email?: string;
        readonly username?: string;
        /** Whether an admin has confirmed whose email address it is; absent: no. */
        readonly verified?: true;
      }
    | {
        readonly kind: 'api_token';
        readonly id: string;
        readonly role: Role;
        /** What of the role's rights it has; absent: all. */
        readonly scopes?: TokenScopes;
      }
  );

export type AuthenticatedCaller = Exclude<Caller, { readonly kind: 'anonymous' }>;

export const anonymous: Caller = { kind: 'anonymous' };

/** The service itself, in what nobody does by hand. Has the rights of an anonymous caller. */
export const system: Caller = { kind: 'anonymous', isSystem: true };

export function isAuthenticated(caller: Caller): caller is AuthenticatedCaller {
  return caller.kind !== 'anonymous';
}

/** The value of `created_by` and `@request.auth.id`; null for an anonymous caller. */
export function callerId(caller: Caller): string | null {
  return caller.kind === 'anonymous' ? null : caller.id;
}

export function callerRole(caller: Caller): Role | null {
  return caller.kind === 'anonymous' ? null : caller.role;
}

/** The email address of an account, as it is written there; null for any other caller. */
export const callerEmail = (caller: Caller): string | null =>
  caller.kind === 'account' ? (caller.email ?? null) : null;

/** The username of an account; null for one without, and for any other caller. */
export const callerUsername = (caller: Caller): string | null =>
  caller.kind === 'account' ? (caller.username ?? null) : null;

/** Whether an admin has confirmed whose email address the account has; null for any other caller. */
export const callerVerified = (caller: Caller): boolean | null =>
  caller.kind === 'account' ? caller.verified === true : null;

/** The value of `@request.auth.tenant_id`: the caller's own tenant; null for none. */
export const callerTenant = ({ tenant }: Caller): string | null => tenant ?? null;

/** The tenant whose records a request reads or writes; null: records without a tenant, or on admin routes those of all tenants. */
export const tenantAsked = ({ tenant, visited }: Caller): string | null => tenant ?? visited ?? null;

/** Of whom an operation demands a recent proof: of all its callers, who are accounts then, or of sessions and not of API tokens. */
export type StepUpDemand = 'account' | 'sessions';

/** Identifies callers. */
export interface Authenticator {
  /**
   * The caller behind an `Authorization` header; anonymous when there is none.
   * Throws (or rejects with) a 401 `Problem` when a token is present and malformed, expired, forged or revoked, and a 403
   * `second_factor_setup_required` for a session that lacks a second factor which the settings demand, except `during` its setup.
   */
  identify(authorization: string | null, during?: 'setup'): Caller | Promise<Caller>;
  /**
   * Throws (rejects with) 403 `step_up_required` for a session whose owner has not proved lately to be there. API tokens cannot do that:
   * they get 403 `not_an_account`, or where the demand is for `sessions` alone, are let through.
   */
  requireStepUp(caller: Caller, of: StepUpDemand): Promise<void>;
}

/**
 * The caller on what is for everyone, such as public endpoints: an API token with scopes is anonymous there, asking about the same
 * tenant's records, because its scopes name rights of the admin routes.
 */
export function publicCaller(caller: Caller): Caller {
  if (callerScopes(caller) === undefined) return caller;
  const { request } = caller;
  const visited = tenantAsked(caller);
  return { ...anonymous, ...(visited === null ? {} : { visited }), ...(request === undefined ? {} : { request }) };
}
