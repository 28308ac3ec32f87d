import { session } from '../app/session.svelte.ts';
import type { ContentTypeInfo } from './content-type-info.ts';
import { inReadersWords } from './own-names.ts';
import { permissions } from './permissions.svelte.ts';
import { permittedType } from './permitted-type.ts';

let loaded = $state.raw<readonly ContentTypeInfo[]>([]);
const all = $derived(loaded.map((type) => permittedType(inReadersWords(type), permissions.limits)));
const singulars = $derived(new Map(all.map((type) => [type.singular, type])));
const plurals = $derived(new Map(all.map((type) => [type.plural, type])));

/** Questions for the types are numbered: the last one, and the last that has an answer. */
let asked = 0;
let answered = 0;

interface TypePage {
  readonly items: readonly ContentTypeInfo[];
  readonly total: number;
}

async function load(): Promise<readonly ContentTypeInfo[]> {
  const found: ContentTypeInfo[] = [];
  for (let page = 1; ; page += 1) {
    const query = { page, page_size: 100 };
    const { items, total } = await session.client.request<TypePage>('GET', '/admin/content-types', { query });
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}

/** The content types of the service, as this account sees them. Loaded before any screen is shown. Reactive. */
export const contentTypes = {
  get all(): readonly ContentTypeInfo[] {
    return all;
  },
  bySingular: (name: string): ContentTypeInfo | undefined => singulars.get(name),
  byPlural: (name: string): ContentTypeInfo | undefined => plurals.get(name),
  async reload(): Promise<void> {
    asked += 1;
    const own = asked;
    const found = await load();
    // An answer that a later question has overtaken may be from before a change.
    if (own < answered) return;
    answered = own;
    loaded = found;
  },
};
