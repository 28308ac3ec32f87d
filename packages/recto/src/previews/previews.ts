import type { AuthServices } from '../auth/auth-services.ts';
import { currentCaller } from '../auth/current-caller.ts';
import { newToken, previewTokenPrefix } from '../auth/opaque-token.ts';
import { type AuthenticatedCaller, type Caller, tenantAsked } from '../base/caller.ts';
import { newId } from '../base/ids.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { forbidden, notFound, Problem, unauthorized, unavailable } from '../base/problem.ts';
import { Semaphore } from '../base/semaphore.ts';
import type { ContentType } from '../definition/content-type.ts';
import { rightsOf } from '../definition/rights/read-view.ts';
import { logOtherChange } from '../events/event-writer.ts';
import type { Projection } from '../records/projected/projection.ts';
import type { Records } from '../records/records.ts';
import type { Releases } from '../releases/releases.ts';
import { type Preview, type PreviewScope, previewLifetime } from './preview.ts';
import { type LivePreview, projectionOf } from './preview-projection.ts';
import { maySeePublished, mayShare, requireForesight, requireShare, requireSight } from './preview-rights.ts';
import type { PreviewStore } from './preview-store.ts';

/** The type of events of links that are shared. No content type has such a name. */
export const previewEvents = 'recto:preview_link';

export interface PreviewsParts {
  readonly auth: AuthServices;
  readonly records: Records;
  readonly store: PreviewStore;
  /** Loaded when it is first used. */
  readonly releases: () => Promise<Releases>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A preview that somebody asks for. */
export interface PreviewInput {
  readonly type: ContentType;
  readonly record: string;
  readonly scope: PreviewScope;
  readonly language: string | null;
  readonly release: string | null;
  /** A time to come, a canonical datetime, at which it shows records as they will stand then; null: none. */
  readonly at: string | null;
  /** For people without an account; null: for the caller alone. */
  readonly share: { readonly label: string; readonly seconds: number } | null;
}

/** A preview token that holds. */
export interface OpenedPreview {
  /** Who reads: about the records of the preview's tenant. */
  readonly caller: Caller;
  /** The language of reads that name none; null: the default. */
  readonly language: string | null;
  /** The singular of the record's type, and its id. */
  readonly type: string;
  readonly record: string;
  /** Whether it is a link for people without an account. */
  readonly isShared: boolean;
  /** Whether it shows records as they will stand at a time. */
  readonly isLater: boolean;
  /** Runs a read of a type on the records as the preview shows them. */
  read<T>(read: { readonly type: string }, search: string, answer: (records: Records) => MaybePromise<T>): Promise<T>;
}

/** Preview tokens of one set of content types: makes them, and answers reads that have one. */
export class Previews {
  readonly #parts: PreviewsParts;
  /** Each holds a transaction while it runs, which writes on SQLite wait for. */
  readonly #running = new Semaphore({ running: 2, waiting: 100 }, busy);
  /** Anybody who has a link reads with it: one at a time, so that neither editors nor writes wait for long. */
  readonly #shared = new Semaphore({ running: 1, waiting: 100 }, busy);

  constructor(parts: PreviewsParts) {
    this.#parts = parts;
  }

  /** Makes a token for a record that the caller may change: 403, 404. The token is only available here. */
  async create(
    caller: AuthenticatedCaller,
    input: PreviewInput,
  ): Promise<{ readonly preview: Preview; readonly token: string }> {
    const { records, store, now } = this.#parts;
    const { type, record, scope, language, release, at: later, share } = input;
    requireSight(caller, type, records.types);
    if (later !== null) requireForesight(caller, records.types);
    if (share !== null) requireShare(caller, records.types);
    await this.#requireRecord(caller, { type, record, release });
    const at = now();
    const preview: Preview = {
      id: newId(),
      by: { kind: caller.kind, id: caller.id },
      session: share === null && caller.kind === 'account' ? caller.session : null,
      ...{ type: type.singular, record, scope, language, release, at: later },
      tenant: tenantAsked(caller),
      label: share === null ? null : share.label,
      createdAt: at,
      expiresAt: at + (share === null ? previewLifetime : share.seconds * 1000),
    };
    const token = newToken(previewTokenPrefix);
    await records.database.transaction(async (transaction) => {
      await store.insert(transaction, preview, token);
      if (share !== null) this.#log(transaction, caller, preview, 'create');
    });
    return { preview, token };
  }

  /** Ends a link that the caller may end: their own; for admins, each of their tenant. 404 for any other. */
  async revoke(caller: AuthenticatedCaller, id: string): Promise<void> {
    const { records, store } = this.#parts;
    await records.database.transaction(async (transaction) => {
      const preview = await store.byId(id, transaction);
      if (preview === undefined || preview.label === null || !(await this.#mayEnd(caller, preview)))
        throw notFound('There is no such link.');
      await store.remove(transaction, id);
      this.#log(transaction, caller, preview, 'delete');
    });
  }

  async #mayEnd(caller: AuthenticatedCaller, { by, tenant }: Preview): Promise<boolean> {
    if (by.id === caller.id) return true;
    return caller.role === 'admin' && (caller.tenant === undefined || caller.tenant === tenant);
  }

  /**
   * What a token shows to a reader: 401 for one that is unknown or expired, or that has ended with the session or the rights of who made it;
   * 403 for a reader of another tenant.
   */
  async open(token: string, caller: Caller): Promise<OpenedPreview> {
    const live = await this.#live(token);
    const { preview } = live;
    const reader = readerOf(caller, preview);
    const { at } = preview;
    // What was to come is there now.
    const later = at !== null && Date.parse(at) > this.#parts.now() ? at : undefined;
    return {
      caller: later === undefined ? reader : { ...reader, at: later },
      language: preview.language,
      type: preview.type,
      record: preview.record,
      isShared: preview.label !== null,
      isLater: at !== null,
      read: ({ type }, search, answer) => {
        const { records } = this.#parts;
        return (preview.label === null ? this.#running : this.#shared).run(async () =>
          at === null
            ? records.projected(await projectionOf(this.#parts, live, { type, search }), answer)
            : records.projected(narrowed(preview), (own) =>
                later === undefined ? answer(own) : readLater(own, live.maker, later, answer),
              ),
        );
      },
    };
  }

  /** The preview of a token, if whoever made it may still make it; 401 otherwise. */
  async #live(token: string): Promise<LivePreview> {
    const { store, now, records } = this.#parts;
    const preview = token.startsWith(previewTokenPrefix) ? await store.byToken(token) : undefined;
    if (preview === undefined) throw unauthorized('invalid_token', 'The preview token is not one that holds.');
    if (preview.expiresAt <= now()) throw unauthorized('token_expired', 'The preview token has expired.');
    const type = records.types.find(preview.type);
    const maker = await this.#maker(preview);
    if (type === undefined || maker === undefined || !(await this.#mayStill(maker, preview, type))) throw ended();
    return { preview, maker, type };
  }

  /** Who made a preview, with the rights that they have now; undefined where these or the session have ended. */
  async #maker({ by, session, tenant }: Preview): Promise<AuthenticatedCaller | undefined> {
    const { auth, now } = this.#parts;
    if (session !== null) {
      const live = await auth.sessions.live(auth.database, session, now());
      if (live === undefined || live.account !== by.id) return undefined;
    }
    const caller = await currentCaller(auth, by);
    if (caller === undefined) return undefined;
    if (caller.tenant !== undefined) return caller.tenant === tenant ? caller : undefined;
    return tenant === null ? caller : { ...caller, visited: tenant };
  }

  async #mayStill(maker: AuthenticatedCaller, preview: Preview, type: ContentType): Promise<boolean> {
    const { types } = this.#parts.records;
    if (!maySeePublished(maker, type, types) || (preview.label !== null && !mayShare(maker, types))) return false;
    try {
      if (preview.at !== null) requireForesight(maker, types);
      await this.#requireRecord(maker, { type, record: preview.record, release: preview.release });
      return true;
    } catch (error) {
      if (error instanceof Problem && (error.status === 403 || error.status === 404)) return false;
      throw error;
    }
  }

  /** Throws 403 or 404 unless the caller may change the record, or sees it in the release that it begins with. */
  async #requireRecord(
    caller: AuthenticatedCaller,
    { type, record, release }: Pick<PreviewInput, 'type' | 'record' | 'release'>,
  ): Promise<void> {
    const { records } = this.#parts;
    if (release !== null) {
      if (records.types.ownRoles.find(caller.role)?.may.releases === false)
        throw forbidden('insufficient_role', 'Your role may not see releases.');
      const releases = await this.#parts.releases();
      await releases.get(caller, release);
      const { items } = await releases.itemsFor(caller, release);
      const begins = items.some((item) => item.record === null && item.id === record && item.type === type.singular);
      if (begins && rightsOf(caller, records.types.roles).of(type).rows.create !== 'none') return;
    }
    await records.requireUpdate({ type, admin: true, caller, id: record });
  }

  #log(
    transaction: Parameters<typeof logOtherChange>[0],
    caller: AuthenticatedCaller,
    { id, tenant }: Preview,
    action: 'create' | 'delete',
  ): void {
    const at = new Date(this.#parts.now()).toISOString();
    logOtherChange(transaction, { type: previewEvents, id, tenant, action, changed: [], caller, at });
  }
}

const busy = (): Problem => unavailable('previews_busy', 'Too many previews are being read. Send this again.');

const ended = (): Problem =>
  unauthorized('preview_ended', 'The preview has ended with the session or the rights of the person who made it.');

/** What a preview shows, of records as they are. */
const narrowed = ({ scope, type, record }: Preview): Projection<Records> =>
  scope === 'site' ? {} : { only: { type, id: record } };

/** Answers a read by records as they will stand at a time: by their schedules, and by the releases that the maker of the preview sees. */
async function readLater<T>(
  records: Records,
  maker: AuthenticatedCaller,
  at: string,
  answer: (records: Records) => MaybePromise<T>,
): Promise<T> {
  const { readAt } = await import('../records/times/read-at.ts');
  return readAt(records, maker, at, async (later) => answer(later));
}

/** A reader about the records of the preview's tenant; 403 for one who belongs to another. */
function readerOf(caller: Caller, { tenant }: Preview): Caller {
  const asked = tenantAsked(caller);
  if (asked === tenant || (caller.tenant === undefined && caller.visited === undefined))
    return tenant === null || asked === tenant ? caller : { ...caller, visited: tenant };
  throw forbidden('other_tenant', 'The preview is about the records of another tenant.');
}
