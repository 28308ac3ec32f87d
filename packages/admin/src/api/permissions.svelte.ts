import { session } from '../app/session.svelte.ts';

/** How far a right goes. `some`: a rule decides for each record. */
export type Extent = 'all' | 'some' | 'none';

export const recordActions = ['list', 'get', 'create', 'update', 'delete', 'publish'] as const;
export type RecordAction = (typeof recordActions)[number];

/** What a role may do with the records of one type. */
export type TypePermissions = Readonly<Record<RecordAction, Extent>> & {
  /** The fields that it reads. */
  readonly read: readonly string[];
  /** The fields that it sets and changes. */
  readonly write: readonly string[];
  /** Of a type with values by language: the languages that it writes in. */
  readonly languages?: readonly string[];
};

/** `GET /auth/me/permissions`. */
export interface Permissions {
  readonly role: string;
  /** As people call the role. */
  readonly label: string;
  /** By singular. Types that the role has no right to are left out. */
  readonly types: Readonly<Record<string, TypePermissions>>;
  readonly may: {
    readonly media: 'none' | 'own' | 'all';
    readonly comments: 'none' | 'moderate';
    readonly users: boolean;
    readonly import: boolean;
    readonly events: boolean;
    readonly releases: boolean;
    readonly share: boolean;
  };
}

let loaded = $state.raw<Permissions | undefined>(undefined);

/** Admins and editors see all content: nothing has to be asked. */
const isLimited = (): boolean => session.role !== 'admin' && session.role !== 'editor';

/**
 * What the account, or the role as which an admin looks, may do. The service decides; screens only leave out what it would refuse. Loaded
 * before any screen is shown. Reactive.
 */
export const permissions = {
  /** Undefined: the role has all rights to content. */
  get limits(): Permissions | undefined {
    return isLimited() ? loaded : undefined;
  },
  /** Whether there is anything for the role in the admin. */
  get opensAdmin(): boolean {
    if (!isLimited()) return true;
    if (loaded === undefined) return false;
    const { media, comments, users, events, releases } = loaded.may;
    return (
      Object.keys(loaded.types).length > 0 || media !== 'none' || comments !== 'none' || users || events || releases
    );
  },
  /** Whether a list of the records of a type is there for the role. */
  lists: (singular: string): boolean => !isLimited() || (loaded?.types[singular]?.list ?? 'none') !== 'none',
  get media(): boolean {
    return !isLimited() || (loaded !== undefined && loaded.may.media !== 'none');
  },
  get comments(): boolean {
    return !isLimited() || loaded?.may.comments === 'moderate';
  },
  get users(): boolean {
    return session.isAdmin || (isLimited() && loaded?.may.users === true);
  },
  /** Whether the role learns of changes by others, as editors do. */
  get changes(): boolean {
    return !isLimited() || loaded?.may.events === true;
  },
  /** The audit log. */
  get events(): boolean {
    return session.isAdmin || (isLimited() && loaded?.may.events === true);
  },
  /** Whether links to previews can be made. */
  get share(): boolean {
    return !isLimited() || loaded?.may.share === true;
  },
  get releases(): boolean {
    return !isLimited() || loaded?.may.releases === true;
  },
  async reload(): Promise<void> {
    if (isLimited()) loaded = await session.client.request<Permissions>('GET', '/auth/me/permissions');
  },
};
