import { type Account, RectoError, type UntypedContent } from '@recto/client';
import { type AdminClient, createAdminClient } from '@recto/client/admin';
import type { FactorRequest } from '../api/sign-in-offer.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { rememberAccount } from './last-account.ts';
import { viewedRole } from './viewed-role.svelte.ts';

/** The client of the admin, whose content types are known only at run time. */
export type RectoClient = AdminClient<UntypedContent>;

/**
 * `starting`: the cookie is being tried. `ended`: the service has ended the session while somebody worked; `account` stays. A dialog asks
 * for the password over the page as soon as the person does something that needs the session; until then, a note says so.
 */
export type SessionStatus = 'starting' | 'unreachable' | 'signed-out' | 'signed-in' | 'ended';

/** What the service has asked for in the place of a session. */
let asked: FactorRequest | undefined;
/** Whether the account has to get a second factor before it may do anything else. */
let needsFactor = $state(false);

const client: RectoClient = createAdminClient({
  url: location.origin,
  session: 'cookie',
  fetch: guardedFetch({
    onsetup: () => {
      needsFactor = true;
    },
    onfactor: (request) => {
      asked = request;
    },
  }),
});

let status = $state<SessionStatus>('starting');
let account = $state.raw<Account | undefined>(undefined);
let waiting: (() => void)[] = [];
/** Whether the person is asked to sign in again. */
let isAsking = $state(false);

/** Tabs hear of each other's signing in and out: the id of the account, or null. */
const tabs = new BroadcastChannel('recto-session');
/** Set in this browser while a session that somebody has left goes on, because the service could not be reached then. */
const unfinished = 'recto.signing-out';

function remember(isUnfinished: boolean): void {
  try {
    if (isUnfinished) localStorage.setItem(unfinished, 'yes');
    else localStorage.removeItem(unfinished);
  } catch {
    // Storage may be closed to us.
  }
}

function isUnfinished(): boolean {
  try {
    return localStorage.getItem(unfinished) !== null;
  } catch {
    return false;
  }
}

function enter(next: Account): void {
  account = next;
  rememberAccount(next.id);
  if (next.role !== 'admin') viewedRole.forget();
  status = 'signed-in';
  isAsking = false;
  needsFactor = false;
  const resolved = waiting;
  waiting = [];
  for (const resolve of resolved) resolve();
}

function leave(): void {
  account = undefined;
  rememberAccount(undefined);
  status = 'signed-out';
  isAsking = false;
  needsFactor = false;
}

/** Does what signs somebody in. Resolves to the second factor that is asked for before; undefined: somebody is signed in. */
async function entering(work: () => Promise<Account>): Promise<FactorRequest | undefined> {
  asked = undefined;
  try {
    enter(await work());
  } catch (error) {
    if (error instanceof RectoError && error.is('second_factor_required') && asked !== undefined) return asked;
    throw error;
  }
  remember(false);
  tabs.postMessage(account?.id);
  return undefined;
}

client.auth.onEnd(() => {
  if (status === 'signed-in') status = 'ended';
  if (status === 'ended') isAsking = true;
});

tabs.onmessage = ({ data }) => {
  if (data === null) {
    if (status !== 'signed-out') leave();
    return;
  }
  if (status === 'signed-in' && data === account?.id) return;
  // Nothing of this page may go out as the other account.
  if (status === 'signed-in') leave();
  // The other tab's cookie is ours too.
  void restore();
};

/** Takes up the session that the browser's cookie has. */
async function restore(): Promise<void> {
  try {
    const isKnown = await client.auth.refresh();
    if (isUnfinished()) {
      if (isKnown) await client.auth.logout();
      remember(false);
      leave();
      return;
    }
    const restored = isKnown ? await client.auth.me() : undefined;
    if (restored !== undefined) enter(restored);
    else if (status !== 'ended') leave();
  } catch (error) {
    if (status === 'starting' || status === 'unreachable') status = 'unreachable';
    else if (!(error instanceof RectoError)) throw error;
  }
}

/** Who is signed in. Reactive. */
export const session = {
  client,
  get account(): Account | undefined {
    return account;
  },
  get status(): SessionStatus {
    return status;
  },
  /** Whether a dialog asks to sign in again. */
  get isAsking(): boolean {
    return isAsking;
  },
  /** The person needs a session that has ended. */
  ask(): void {
    if (status === 'ended') isAsking = true;
  },
  /** Does something that nobody asked for, with requests that are `background`. That moves nobody's focus, whatever becomes of it. */
  async inBackground<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RectoError && error.status === 401 && status === 'signed-in') status = 'ended';
      throw error;
    }
  },
  /** Whether the session goes on. Asks the service, and asks nobody to sign in. */
  async goesOn(): Promise<boolean> {
    if (status !== 'signed-in') return false;
    try {
      await session.inBackground(() => client.request('GET', '/auth/me', { background: true }));
    } catch {
      // Of a service that cannot be reached, pages say so themselves.
    }
    return status === 'signed-in';
  },
  /** The role whose rights the pages follow: the account's own, or the one as which an admin looks at them. */
  get role(): string | undefined {
    return account?.role === 'admin' ? (viewedRole.name ?? 'admin') : account?.role;
  },
  get isAdmin(): boolean {
    return session.role === 'admin';
  },
  /** Admins of the installation: an account of a tenant manages what is the tenant's. */
  get isInstallationAdmin(): boolean {
    return session.isAdmin && account?.tenant_id === null;
  },
  restore,
  /** Whether the account has to get a second factor before it may do anything else. Reactive. */
  get needsFactor(): boolean {
    return needsFactor;
  },
  /** The account has got the second factor that it needed. */
  factorIsThere(): void {
    needsFactor = false;
  },
  /** Resolves to the second factor that is asked for. Rejects with a `RectoError`: 401 `invalid_credentials`, 429 with `retry_after`. */
  signIn: (email: string, password: string) => entering(() => client.auth.login({ email, password })),
  /** Signs in with what a mail had. */
  signInWithCode: (given: { readonly challenge: string; readonly code: string }) =>
    entering(() => client.auth.signInWithCode(given)),
  /** Signs in with anything else, at a route whose response sets the cookie of the session. */
  enterWith: (path: string, body: object) =>
    entering(async () => {
      const { user } = await client.request<{ readonly user: Account }>('POST', path, {
        body: { ...body, session: 'cookie' },
      });
      // The client takes up what is in the cookie.
      await client.auth.refresh();
      return user;
    }),
  /** Without a connection, the session goes on in the service; the next page that reaches it ends it. */
  async signOut(): Promise<void> {
    remember(true);
    try {
      await client.auth.logout();
      remember(false);
    } catch (error) {
      // Over already: nothing goes on.
      if (error instanceof RectoError && error.status === 401) remember(false);
    } finally {
      leave();
      tabs.postMessage(null);
    }
  },
  /** Gives up a session that has ended, instead of signing in again. */
  abandon: leave,
  /** The account after its owner has changed it. */
  update(changed: Account): void {
    account = changed;
  },
  /** Resolves when somebody is signed in, at once where somebody is: what to wait for after a 401. */
  restored(): Promise<void> {
    return status === 'signed-in' ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
  },
};
