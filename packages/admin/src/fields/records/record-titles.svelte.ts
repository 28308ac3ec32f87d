import { SvelteMap } from 'svelte/reactivity';
import '../../text/en/fields.ts';
import { accountNameNow } from '../../api/account-name.ts';
import { whenForgotten } from '../../api/query.svelte.ts';
import { onNavigate } from '../../app/navigation.svelte.ts';
import { session } from '../../app/session.svelte.ts';
import { t } from '../../text/text.ts';
import { type RecordChoice, recordChoice } from './record-choice.ts';
import { accounts, type TargetType, withoutTotal } from './target-type.ts';

interface Known {
  /** Null: there is none that this account sees. */
  readonly choice: RecordChoice | null;
  /** The page that it was looked up for. */
  readonly page: number;
}

/** By plural and id. */
const known = new SvelteMap<string, Known>();
whenForgotten(() => known.clear());
const waiting = new Map<string, { readonly target: TargetType; readonly ids: Set<string> }>();

/** What is being looked up, with the page that it is for. */
const asked = new Map<string, number>();

/** Counts the pages that were shown: a record may have been renamed on the one before. */
let page = 0;
onNavigate(() => {
  page += 1;
});

/** As many as a filter's `in` takes. */
const most = 100;

const keyOf = ({ plural }: TargetType, id: string): string => `${plural}/${id}`;

/** What is known of a record: undefined while it is being loaded. Reactive. */
export const knownRecord = (target: TargetType, id: string): RecordChoice | null | undefined =>
  known.get(keyOf(target, id))?.choice;

/** Keeps what a picker or a drawer has just shown. */
export function rememberRecord(target: TargetType, choice: RecordChoice): void {
  known.set(keyOf(target, choice.id), { choice, page });
}

/**
 * Loads the titles of these records, with those that other fields ask for at the same time: one request for a type. What an earlier page
 * has looked up is shown meanwhile.
 */
export function requestRecords(target: TargetType, ids: readonly string[]): void {
  const missing = ids.filter((id) => {
    const key = keyOf(target, id);
    return known.get(key)?.page !== page && asked.get(key) !== page;
  });
  if (missing.length === 0) return;
  for (const id of missing) asked.set(keyOf(target, id), page);
  if (waiting.size === 0) queueMicrotask(() => void loadWaiting());
  const next = waiting.get(target.plural) ?? { target, ids: new Set<string>() };
  for (const id of missing) next.ids.add(id);
  waiting.set(target.plural, next);
}

async function loadWaiting(): Promise<void> {
  const all = [...waiting.values()];
  waiting.clear();
  await Promise.all(
    all.flatMap(({ target, ids }) => {
      const list = [...ids];
      const parts = Array.from({ length: Math.ceil(list.length / most) }, (_, at) =>
        list.slice(at * most, (at + 1) * most),
      );
      return parts.map((part) => load(target, part));
    }),
  );
}

async function load(target: TargetType, ids: readonly string[]): Promise<void> {
  const asking = page;
  const found = await (target.type === undefined && !session.isAdmin ? profiles(ids) : records(target, ids)).catch(
    () => undefined,
  );
  for (const id of ids) if (asked.get(keyOf(target, id)) === asking) asked.delete(keyOf(target, id));
  // Offline or the like: the next field that shows it asks again.
  if (found === undefined) return;
  const choices = new Map(found.map((choice) => [choice.id, choice]));
  for (const id of ids) known.set(keyOf(target, id), { choice: choices.get(id) ?? null, page: asking });
}

async function records(target: TargetType, ids: readonly string[]): Promise<readonly RecordChoice[]> {
  const asked = { filter: { id: [...ids] }, page_size: most, ...withoutTotal(target) };
  const { items } = await session.client.admin.collection(target.plural).list(asked);
  return items.map((record) => recordChoice(target, record));
}

/** Accounts as those see them who may not list them: by their profiles, where these are public. */
const profiles = (ids: readonly string[]): Promise<readonly RecordChoice[]> =>
  Promise.all(
    ids.map(async (id) => {
      const name =
        id === session.account?.id ? recordChoice(accounts, { ...session.account }).title : await accountNameNow(id);
      return { id, title: name ?? t('fields.userOfId', { id: id.slice(-8) }), detail: undefined };
    }),
  );
