/** Roles, strongest first: `admin` everything, `editor` all content, `member` any other account. */
export const roles = ['admin', 'editor', 'member'] as const;
export type Role = (typeof roles)[number];

/** The tenants that a request has to do with. */
interface Tenancy {
  /** The tenant that the caller belongs to; absent: none. */
  readonly tenant?: string;
  /** The tenant that the request names, of a caller who belongs to none. */
  readonly visited?: string;
}

/** Who asks. Made by `auth/` from the bearer token, read by access levels and rules. */
export type Caller = Tenancy &
  (
    | { readonly kind: 'visitor' }
    | {
        readonly kind: 'account';
        readonly id: string;
        readonly role: Role;
        readonly session: string;
        readonly email?: string;
        readonly username?: string;
      }
    | { readonly kind: 'api_token'; readonly id: string; readonly role: Role }
  );

export type AuthenticatedCaller = Exclude<Caller, { readonly kind: 'visitor' }>;

export const visitor: Caller = { kind: 'visitor' };

export function isAuthenticated(caller: Caller): caller is AuthenticatedCaller {
  return caller.kind !== 'visitor';
}

/** The id that `created_by` and `@request.auth.id` tell; null for a visitor. */
export function callerId(caller: Caller): string | null {
  return caller.kind === 'visitor' ? null : caller.id;
}

export function callerRole(caller: Caller): Role | null {
  return caller.kind === 'visitor' ? null : caller.role;
}

/** The email address of an account, as it is written there; null for any other caller. */
export const callerEmail = (caller: Caller): string | null =>
  caller.kind === 'account' ? (caller.email ?? null) : null;

/** The username of an account; null for one without, and for any other caller. */
export const callerUsername = (caller: Caller): string | null =>
  caller.kind === 'account' ? (caller.username ?? null) : null;

/** The tenant that `@request.auth.tenant_id` tells: the caller's own; null for none. */
export const callerTenant = ({ tenant }: Caller): string | null => tenant ?? null;

/** The tenant whose records a request is about; null: those of no tenant, or on admin routes those of all. */
export const tenantAsked = ({ tenant, visited }: Caller): string | null => tenant ?? visited ?? null;

/** Finds out who asks. */
export interface Authenticator {
  /**
   * The caller behind an `Authorization` header; a visitor when there is none.
   * Throws (or rejects with) a 401 `Problem` when a token is present and malformed, expired, forged or revoked.
   */
  identify(authorization: string | null): Caller | Promise<Caller>;
}
