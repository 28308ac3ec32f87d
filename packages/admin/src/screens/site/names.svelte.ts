import { adminRoutes, type LoggedEvent } from '../../api/admin-routes.ts';
import { createQuery } from '../../api/query.svelte.ts';
import { shortened } from '../../api/record-title.ts';
import { knownRecord, requestRecords } from '../../fields/records/record-titles.svelte.ts';
import { type TargetType, targetType } from '../../fields/records/target-type.ts';
import { t } from '../../text/text.ts';

/** At most as many as one page of a list has. */
const most = 100;

/** The names of those who made changes, looked up once for all that are shown. */
export function createActorNames(events: () => readonly LoggedEvent[]) {
  const accounts = $derived(idsOf(events(), 'account'));
  const hasTokens = $derived(events().some(({ actor }) => actor?.kind === 'api_token'));
  const users = createQuery(() => ({
    key: ['users', 'names', accounts],
    load: async (signal) => {
      const filter = `id in ${JSON.stringify(accounts)}`;
      const { items } = await adminRoutes.users({ filter, page_size: most }, signal);
      return new Map(items.map((user) => [user.id, user.display_name ?? user.username ?? user.email]));
    },
    keepsPrevious: true,
    paused: accounts.length === 0,
  }));
  const tokens = createQuery(() => ({
    key: ['api-tokens', 'names'],
    load: async (signal) => {
      const { items } = await adminRoutes.apiTokens({ page_size: most }, signal);
      return new Map(items.map(({ id, name }) => [id, name]));
    },
    paused: !hasTokens,
  }));
  /** Whoever has been removed since is shown by the id. */
  return (actor: LoggedEvent['actor']): string => {
    if (actor === null) return t('site.anonymous');
    const id = actor.id ?? '';
    switch (actor.kind) {
      case 'system':
        return t('site.theService');
      case 'api_token':
        return t('site.apiTokenNamed', { name: tokens.data?.get(id) ?? id });
      case 'account':
        return users.data?.get(id) ?? id;
    }
  };
}

/** What was changed, by name: records and accounts as far as they are there, looked up once for all that are shown; others by their id. */
export function createRecordNames(events: () => readonly LoggedEvent[]) {
  $effect(() => {
    for (const [type, own] of Map.groupBy(events(), (event) => event.type)) {
      const target = targetOf(type);
      if (target !== undefined) requestRecords(target, [...new Set(own.map(({ record }) => record))]);
    }
  });
  return ({ type, record }: LoggedEvent): string => {
    const target = targetOf(type);
    const title = target && knownRecord(target, record)?.title;
    if (title !== undefined) return shortened(title);
    return isLongId.test(record) ? `…${record.slice(-8)}` : record;
  };
}

const isLongId = /^[0-9a-f-]{36}$/;

const targetOf = (type: string): TargetType | undefined =>
  type === 'recto:account' ? targetType('users') : type.startsWith('recto:') ? undefined : targetType(type);

const idsOf = (events: readonly LoggedEvent[], kind: string): readonly string[] =>
  [...new Set(events.flatMap(({ actor }) => (actor?.kind === kind && actor.id !== null ? [actor.id] : [])))]
    .toSorted()
    .slice(0, most);
