import type { ContentTypeInfo } from '../api/content-type-info.ts';
import type { permissions } from '../api/permissions.svelte.ts';
import { readerText } from '../api/reader-text.ts';
import { t } from '../text/text.ts';
import { type IconName, isTypeIcon } from '../ui/icons.ts';
import { pluralName } from './type-names.ts';

export interface NavigationLink {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** The name of a colour that the definition has. */
  readonly color?: string | undefined;
  /** The plural of a type whose records can change their status at a time. */
  readonly schedules?: string | undefined;
}

export interface NavigationGroup {
  /** Undefined: has no heading. */
  readonly label: string | undefined;
  readonly links: readonly NavigationLink[];
}

export interface Rights {
  readonly isAdmin: boolean;
  readonly isInstallationAdmin: boolean;
  /** Absent: all rights to content. */
  readonly permissions?: Pick<typeof permissions, 'lists' | 'media' | 'comments' | 'users' | 'events' | 'releases'>;
}

/** Built-in types that have screens of their own. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['media', '/media'],
  ['comment', '/comments'],
]);

/** The page with the records of a type. */
export const recordsPath = ({
  singular,
  plural,
  source,
}: Pick<ContentTypeInfo, 'singular' | 'plural' | 'source'>): string =>
  (source === 'built_in' ? elsewhere.get(singular) : undefined) ?? `/content/${plural}`;

/** The links of the sidebar, for what this account may see. The command palette lists the same. */
export function navigationGroups(
  types: readonly ContentTypeInfo[],
  { isAdmin, isInstallationAdmin, permissions: own }: Rights,
): readonly NavigationGroup[] {
  const listed = types.filter(
    ({ singular, source, definition }) =>
      (source !== 'built_in' || !elsewhere.has(singular)) &&
      definition.admin?.hidden !== true &&
      (own?.lists(singular) ?? true),
  );
  const bySection = Map.groupBy(listed, ({ definition }) => readerText(definition.admin?.section)?.trim() || undefined);
  const linksOf = (section: string | undefined): readonly NavigationLink[] =>
    (bySection.get(section) ?? []).map(typeLink).toSorted((a, b) => a.label.localeCompare(b.label));
  const sections = [...bySection.keys()]
    .filter((section) => section !== undefined)
    .toSorted((a, b) => a.localeCompare(b));
  const has = (singular: string): boolean => types.some((type) => type.singular === singular);
  // Types, webhooks and settings are the installation's: the service answers an admin of a tenant with 403.
  const site: readonly (NavigationLink | false)[] = [
    isInstallationAdmin && { path: '/types', label: t('app.types'), icon: 'types' },
    (own?.users ?? isAdmin) && { path: '/users', label: t('app.users'), icon: 'users' },
    isInstallationAdmin && { path: '/roles', label: t('app.roles'), icon: 'lock' },
    isAdmin && { path: '/api-tokens', label: t('app.apiTokens'), icon: 'key' },
    isInstallationAdmin && { path: '/webhooks', label: t('app.webhooks'), icon: 'webhook' },
    (own?.events ?? isAdmin) && { path: '/audit-log', label: t('app.auditLog'), icon: 'log' },
    isAdmin && { path: '/jobs', label: t('app.jobs'), icon: 'jobs' },
    isInstallationAdmin && { path: '/settings', label: t('app.settings'), icon: 'settings' },
  ];
  const more: readonly (NavigationLink | false)[] = [
    has('media') && (own?.media ?? true) && { path: '/media', label: t('app.media'), icon: 'image' },
    has('comment') && (own?.comments ?? true) && { path: '/comments', label: t('app.comments'), icon: 'comment' },
    ((own?.releases ?? true) || listed.some(hasTimes)) && {
      path: '/calendar',
      label: t('app.calendar'),
      icon: 'calendar',
    },
    (own?.releases ?? true) && { path: '/releases', label: t('app.releases'), icon: 'box' },
    listed.some(hasTexts) && { path: '/links', label: t('app.deadLinks'), icon: 'link' },
  ];
  const groups: readonly NavigationGroup[] = [
    { label: undefined, links: [{ path: '/', label: t('app.home'), icon: 'home' }] },
    { label: t('app.content'), links: [...linksOf(undefined), ...more.filter((link) => link !== false)] },
    ...sections.map((label): NavigationGroup => ({ label, links: linksOf(label) })),
    { label: t('app.site'), links: site.filter((link) => link !== false) },
  ];
  return groups.filter(({ links }) => links.length > 0);
}

/** Fields that have rich text, or may have some inside. */
const textFields: ReadonlySet<string> = new Set(['richtext', 'blocks', 'list', 'group']);

const hasTexts = ({ fields }: ContentTypeInfo): boolean => fields.some(({ field_type }) => textFields.has(field_type));

/** Times that a protocol brings: those that the calendar shows. */
const hasTimes = ({ fields }: ContentTypeInfo): boolean =>
  fields.some(({ name, origin }) => origin === 'protocol' && (name === 'scheduled_at' || name === 'due_at'));

function typeLink(type: ContentTypeInfo): NavigationLink {
  const { icon, color } = type.definition.admin ?? {};
  const usual = type.kind === 'single' ? 'single' : type.source === 'built_in' ? 'documents' : 'document';
  const schedules = type.fields.some(({ name, origin }) => name === 'scheduled_at' && origin === 'protocol');
  return {
    ...{ path: `/content/${type.plural}`, label: pluralName(type), icon: isTypeIcon(icon) ? icon : usual, color },
    schedules: schedules ? type.plural : undefined,
  };
}
