import {
  type Caller,
  callerEmail,
  callerId,
  callerRole,
  callerTenant,
  callerUsername,
  callerVerified,
  isAuthenticated,
  tenantAsked,
} from '../../base/caller.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { Rule } from '../../rules/rule.ts';

/** What an answer was made from, and so what ends it or sets it apart from another caller's. */
export interface PlanReads {
  /** Singular names of all content types whose records take part. */
  readonly types: readonly string[];
  /** Caller values that take part: an answer is shared only by callers who are equal in them. */
  readonly authenticated: boolean;
  readonly role: boolean;
  readonly id: boolean;
  /** The email address or the username. */
  readonly names: boolean;
  readonly verified: boolean;
  /** Whose records: the caller's tenant, or the one that the request names. */
  readonly tenant: boolean;
  /** Query parameters that rules read: those of the endpoint, and of every type whose records it also returns. */
  readonly query: readonly string[];
  /** Whether the answer can change by itself as time passes. */
  readonly now: boolean;
}

/** The caller values that an answer depends on, as a part of its key. */
export function callerKey(reads: PlanReads, caller: Caller): string {
  let key = '';
  if (reads.authenticated) key += isAuthenticated(caller) ? 'in|' : 'out|';
  if (reads.role) key += `${callerRole(caller)}|`;
  if (reads.id) key += `${callerId(caller)}|`;
  if (reads.names) key += `${JSON.stringify([callerEmail(caller), callerUsername(caller)])}|`;
  if (reads.verified) key += `${callerVerified(caller)}|`;
  if (reads.tenant) key += `${callerTenant(caller) ?? ''}/${tenantAsked(caller) ?? ''}|`;
  return key;
}

type Flags = Record<Exclude<keyof PlanReads, 'types' | 'query'>, boolean>;

const noFlags: Flags = {
  authenticated: false,
  role: false,
  id: false,
  names: false,
  verified: false,
  tenant: false,
  now: false,
};

/** Collects what a plan reads while it is built. */
export class ReadsCollector {
  readonly #types = new Set<string>();
  readonly #query = new Set<string>();
  readonly #flags: Flags = { ...noFlags };

  type(singular: string): void {
    this.#types.add(singular);
  }

  authenticated(): void {
    this.#flags.authenticated = true;
  }

  role(): void {
    this.#flags.role = true;
  }

  tenant(): void {
    this.#flags.tenant = true;
  }

  rule({ reads: { types, query, auth, now } }: Rule): void {
    this.all({
      types: [...types],
      query: [...query],
      authenticated: false,
      role: auth.has('role'),
      id: auth.has('id'),
      names: auth.has('email') || auth.has('username'),
      verified: auth.has('verified'),
      tenant: auth.has('tenant_id'),
      now,
    });
  }

  /** What another collector found. */
  all(reads: PlanReads): void {
    for (const type of reads.types) this.#types.add(type);
    for (const name of reads.query) this.#query.add(name);
    // Each of them: an answer that is shared without one of them shows a caller what is another's.
    for (const flag of Object.keys(noFlags) as (keyof Flags)[]) this.#flags[flag] ||= reads[flag];
  }

  done(): PlanReads {
    return { types: [...this.#types], query: [...this.#query], ...this.#flags };
  }
}

/** The name whose generation goes up when what is kept beside a type's content changes, such as a draft. */
export const annotationsOf = ({ singular }: ContentType): string => `recto:annotations:${singular}`;
