import type { ContentTypeInfo } from '../api/content-type-info.ts';
import { htmlText } from '../api/html-text.ts';
import { recordPath, recordTitle } from '../api/record-title.ts';
import { t } from '../text/text.ts';
import type { IconName } from '../ui/icons.ts';
import { excerpt, hasWords } from './found-words.ts';
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
  /** Opens the list of keys in place of a page. */
  readonly isHelp?: true;
  /** Of content: the place where the words were found, unless its label has them. */
  readonly excerpt?: string | undefined;
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
  const help = {
    id: 'help',
    label: t('palette.help'),
    detail: '?',
    icon: 'keyboard',
    path: '',
    isHelp: true,
  } as const;
  return [...pages, ...(listed.has('/settings') ? [transfer] : []), profile, help, ...creating];
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
      return page.items.map((record) => {
        const label = recordTitle(type, record) ?? t('palette.untitled');
        return {
          id: `${type.singular}/${record.id}`,
          label,
          detail: type.name,
          icon: 'document',
          path: recordPath(type, record.id),
          excerpt: hasWords(label, text) ? undefined : excerpt(textsOf(type, record), wordsBeside(label, text)),
        };
      });
    }),
  );
  return found.flat();
}

/** The words that the label does not have. */
const wordsBeside = (label: string, text: string): string =>
  text
    .split(/\s+/)
    .filter((word) => !hasWords(label, word))
    .join(' ');

/** Letters of a text that are looked through. */
const mostLetters = 50_000;

/** What people read of a record, field by field. */
function* textsOf({ fields }: ContentTypeInfo, record: Readonly<Record<string, unknown>>): Generator<string> {
  for (const { name, origin } of fields) if (origin !== 'engine') yield* textsIn(record[name]);
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield htmlText(value.slice(0, mostLetters));
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each);
}

/**
 * What is shown once more has been found, or another text is typed: what was shown and still has the words stays where it is, and the rest
 * follows.
 */
export function withFound(shown: readonly Command[], found: readonly Command[], text: string): readonly Command[] {
  const stay = shown.filter((each) => hasWords(`${each.label} ${each.excerpt ?? ''}`, text));
  const ids = new Set(stay.map(({ id }) => id));
  return [
    ...stay.map((each) => found.find(({ id }) => id === each.id) ?? each),
    ...found.filter(({ id }) => !ids.has(id)),
  ];
}
