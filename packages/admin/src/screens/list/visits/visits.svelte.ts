import { SvelteMap } from 'svelte/reactivity';
import { takeOwnChange } from '../../../api/own-changes.ts';
import { whenForgotten } from '../../../api/query.svelte.ts';
import { type RectoClient, session } from '../../../app/session.svelte.ts';
import { allSeen, firstVisit, type MarkedRecord, readVisit, resumed, type Visit, withSeen } from './visit.ts';

/** The visits to lists, by the plural name of the type. What is not here has not begun. */
const visits = new SvelteMap<string, Visit>();
/** The service's clock against that of this browser, in milliseconds; undefined until it was heard. */
let ahead: number | undefined;
/** One write follows the other, so that the last one stays. */
let writing: Promise<void> = Promise.resolve();

whenForgotten(() => {
  visits.clear();
  reading = undefined;
});

const nameOf = (plural: string): string => `visit:${plural}`;
const now = (): string => new Date(Date.now() + (ahead ?? 0)).toISOString();

/** What the service keeps for an account. */
interface Kept {
  readonly items: readonly { readonly name: string; readonly value: unknown }[];
}

/** In the background: a session that has ended is not asked for while somebody writes. */
const write = (client: RectoClient, plural: string, value: Visit): Promise<{ readonly updated_at: string }> =>
  session.inBackground(() =>
    client.request('PUT', `/admin/preferences/${encodeURIComponent(nameOf(plural))}`, {
      body: { value },
      background: true,
    }),
  );

/** Keeps a visit. Nobody asked for it: what fails is tried again with the next one. */
function keep(plural: string, visit: Visit): void {
  visits.set(plural, visit);
  const { client } = session;
  writing = writing.then(async () => {
    try {
      await write(client, plural, visit);
    } catch {
      // The marks are as good as what was kept before.
    }
  });
}

/** What was kept of visits before, by the names of preferences: read once for each account. */
let reading: Promise<ReadonlyMap<string, unknown>> | undefined;

function readKept(): Promise<ReadonlyMap<string, unknown>> {
  reading ??= session
    .inBackground(() => session.client.request<Kept>('GET', '/admin/preferences', { background: true }))
    .then(({ items }) => new Map(items.map(({ name, value }) => [name, value])))
    .catch((error) => {
      reading = undefined;
      throw error;
    });
  return reading;
}

/** The visit as it was kept; undefined: there was none, or it is not known. */
async function knownVisit(plural: string): Promise<Visit | undefined> {
  return visits.get(plural) ?? readVisit((await readKept()).get(nameOf(plural)));
}

/** Begins a visit to a list, or goes on with it. What is to be marked is known when it resolves. */
export async function beginVisit(plural: string): Promise<void> {
  const { client } = session;
  try {
    const known = await knownVisit(plural);
    if (ahead === undefined) {
      const value = known ?? firstVisit(now());
      const { updated_at } = await write(client, plural, value);
      ahead = Date.parse(updated_at) - Date.now();
    }
    const before = visits.get(plural) ?? known;
    if (session.client !== client) return;
    const visit = before === undefined ? firstVisit(now()) : resumed(before, now());
    // One that goes on is written when the list is left: opening a record and coming back is one write.
    if (visit.since === before?.since) visits.set(plural, visit);
    else keep(plural, visit);
  } catch {
    // Nothing is marked.
  }
}

/** The list is shown still, or is left. */
export function continueVisit(plural: string): void {
  const visit = visits.get(plural);
  if (visit !== undefined && session.status === 'signed-in') keep(plural, { ...visit, last: now() });
}

/** The visit to a list; undefined while it is not known. Reactive. */
export const visitOf = (plural: string): Visit | undefined => visits.get(plural);

/** A record was looked at, as it is now. */
export async function seeRecord(plural: string, { id, updated_at: updatedAt }: MarkedRecord): Promise<void> {
  if (typeof updatedAt !== 'string') return;
  const { client } = session;
  const visit = await knownVisit(plural).catch(() => undefined);
  if (visit === undefined || session.client !== client) return;
  const next = withSeen(visit, id, updatedAt);
  if (next !== visit) keep(plural, next);
}

/** Of the rows that are shown, those that this tab has changed count as looked at. */
export function seeOwn(plural: string, rows: readonly MarkedRecord[]): void {
  const visit = visits.get(plural);
  if (visit === undefined) return;
  const own = rows.filter(({ id }) => takeOwnChange(plural, id));
  const next = own.reduce(
    (seen, { id, updated_at: updatedAt }) => (typeof updatedAt === 'string' ? withSeen(seen, id, updatedAt) : seen),
    visit,
  );
  if (next !== visit) keep(plural, next);
}

export const seeAll = (plural: string): void => keep(plural, allSeen(now()));
