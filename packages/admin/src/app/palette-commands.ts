import type { ContentTypeInfo } from '../api/content-type-info.ts';
import { recordPath, recordTitle } from '../api/record-title.ts';
import { t } from '../text/text.ts';
import type { IconName } from '../ui/icons.ts';
import type { NavigationGroup } from './navigation-links.ts';
import type { RectoClient } from './session.svelte.ts';

export interface Command {
  /** Unique. */
  readonly id: string;
  readonly label: string;
  /** In grey: what it is. */
  readonly detail: string;
  readonly icon: IconName;
  readonly path: string;
}

/** Pages, and what can be created. */
export function pageCommands(
  groups: readonly NavigationGroup[],
  types: readonly ContentTypeInfo[],
): readonly Command[] {
  const pages = groups.flatMap(({ links }) =>
    links.map(({ path, label, icon }): Command => ({ id: path, label, detail: t('palette.goTo'), icon, path })),
  );
  const listed = new Set(pages.map(({ path }) => path));
  const creating = types
    .filter(({ kind, may, plural }) => kind === 'collection' && may.create && listed.has(`/content/${plural}`))
    .map(({ name, plural }): Command => {
      const path = `/content/${plural}/new`;
      return { id: path, label: t('palette.new', { name }), detail: t('palette.create'), icon: 'plus', path };
    });
  const profile = {
    id: '/profile',
    label: t('app.profile'),
    detail: t('palette.goTo'),
    icon: 'user',
    path: '/profile',
  } as const;
  const transfer = {
    id: '/settings?tab=transfer',
    label: t('palette.transfer'),
    detail: t('palette.goTo'),
    icon: 'settings',
    path: '/settings?tab=transfer',
  } as const;
  return [...pages, ...(listed.has('/settings') ? [transfer] : []), profile, ...creating];
}

/** Those whose words begin with the words that are typed come first. */
export function matching(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return commands;
  const rank = ({ label }: Command): number => {
    const own = label.toLocaleLowerCase();
    if (!words.every((word) => own.includes(word))) return -1;
    return words.every((word) => own.split(/\s+/).some((part) => part.startsWith(word))) ? 1 : 0;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((each) => each.rank >= 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ command }) => command);
}

/** At most so many types are searched: each is a request. */
const mostTypes = 20;
const perType = 4;

/** Records of all types that the search finds. A type that cannot be searched finds nothing. */
export async function contentCommands(
  client: RectoClient,
  types: readonly ContentTypeInfo[],
  text: string,
  signal: AbortSignal,
): Promise<readonly Command[]> {
  const asked = types.filter(({ kind }) => kind === 'collection').slice(0, mostTypes);
  const found = await Promise.all(
    asked.map(async (type): Promise<readonly Command[]> => {
      const options = { search: text, page_size: perType, skip_total: true, signal };
      const page = await client.admin
        .collection(type.plural)
        .list(options)
        .catch(() => ({ items: [] }));
      return page.items.map((record) => ({
        id: `${type.singular}/${record.id}`,
        label: recordTitle(type, record) ?? t('palette.untitled'),
        detail: type.name,
        icon: 'document',
        path: recordPath(type, record.id),
      }));
    }),
  );
  return found.flat();
}
