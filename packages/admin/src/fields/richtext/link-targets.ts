import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { statusLabel } from '../../api/own-names.ts';
import { recordTitle, titleField } from '../../api/record-title.ts';
import type { RectoClient } from '../../app/session.svelte.ts';

/** A record that a link can lead to. */
export interface LinkTarget {
  /** `plural/id`, as `data-record` has it. */
  readonly reference: string;
  readonly title: string;
  /** What distinguishes it from others: its type, and its status. */
  readonly detail: string;
  readonly href: string;
}

/** At most so many types are searched: each is a request. */
const mostTypes = 20;
const perType = 5;

/** The field whose values are in the addresses of a type's records, as the service decides it. */
export function slugField({ kind, fields }: ContentTypeInfo): string | undefined {
  if (kind === 'single') return undefined;
  const slugs = fields.filter((field) => field.field_type === 'uid' && !field.private).map(({ name }) => name);
  return slugs.find((name) => name === 'slug') ?? (slugs.length === 1 ? slugs[0] : undefined);
}

/** Whether a text is meant as an address, and not as words of a record's title. */
export const isAddressLike = (text: string): boolean =>
  /^[/#?.]|^[a-z][a-z0-9+.-]*:|^[^\s]+\.[^\s]+$/i.test(text.trim());

/** Where the site shows a record: by the type's `preview_url`, where that ends with the slug, else below the type's name. */
export function recordAddress({ plural, definition }: ContentTypeInfo, slug: string): string {
  const template = definition.admin?.preview_url;
  const isPath = template !== undefined && /\/\{slug\}\/?$/.test(template) && !/[?#]|\{id\}/.test(template);
  return (isPath ? template : `/${plural}/{slug}`).replace('{slug}', () => encodeURIComponent(slug));
}

/** Records of all types with slugs that the search finds. A type that cannot be searched finds nothing. */
export async function findLinkTargets(
  client: RectoClient,
  types: readonly ContentTypeInfo[],
  text: string,
  signal: AbortSignal,
): Promise<readonly LinkTarget[]> {
  const asked = types.filter((type) => slugField(type) !== undefined).slice(0, mostTypes);
  const found = await Promise.all(
    asked.map(async (type): Promise<readonly LinkTarget[]> => {
      const options = { search: text, page_size: perType, skip_total: true, signal };
      const page = await client.admin
        .collection(type.plural)
        .list(options)
        .catch(() => ({ items: [] }));
      return page.items.flatMap((record) => linkTarget(type, record) ?? []);
    }),
  );
  signal.throwIfAborted();
  const words = text.toLocaleLowerCase();
  const begins = ({ title }: LinkTarget): number => (title.toLocaleLowerCase().includes(words) ? 0 : 1);
  return found.flat().toSorted((a, b) => begins(a) - begins(b));
}

function linkTarget(type: ContentTypeInfo, record: Readonly<Record<string, unknown>>): LinkTarget | undefined {
  const slug = record[slugField(type) ?? ''];
  if (typeof slug !== 'string' || typeof record.id !== 'string') return undefined;
  const status = titleField(type) !== 'status' && typeof record.status === 'string' ? record.status : undefined;
  const shown = status === undefined ? undefined : statusLabel(status, type);
  return {
    reference: `${type.plural}/${record.id}`,
    title: recordTitle(type, record) ?? slug,
    detail: shown === undefined ? type.name : `${type.name} · ${shown}`,
    href: recordAddress(type, slug),
  };
}
