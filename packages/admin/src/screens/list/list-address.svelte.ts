import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { errorText } from '../../api/query.svelte.ts';
import { navigate, place } from '../../app/navigation.svelte.ts';
import { toast } from '../../ui/toasts.svelte.ts';
import { parseFilter } from './filter/parse-filter.ts';
import { type ListPreference, listPreferences } from './list-preferences.svelte.ts';
import { type ListState, readState, stateQuery, withChange } from './list-state.ts';

/** What a list shows, as the address of the page has it. Each change is another address, so that the browser's way back works. */
export class ListAddress {
  readonly #type: () => ContentTypeInfo;
  readonly preference = $derived.by(() => listPreferences.of(this.type.plural));
  readonly state = $derived.by(() => readState(place.query, this.preference.size));
  /** Undefined: the filter is no text that the builder can show. */
  readonly parsedFilter = $derived.by(() => parseFilter(this.state.filter));

  constructor(type: () => ContentTypeInfo) {
    this.#type = type;
  }

  get type(): ContentTypeInfo {
    return this.#type();
  }

  show(next: ListState, options: { readonly replace?: boolean } = {}): void {
    navigate(`/content/${this.type.plural}${stateQuery(next, this.preference.size)}`, options);
  }

  /** Another question, from its first page. */
  change(change: Partial<Omit<ListState, 'place'>>, options: { readonly replace?: boolean } = {}): void {
    this.show(withChange(this.state, change), options);
  }

  /** Remembers what this person wants of lists of this type. */
  async keep(change: Partial<ListPreference>): Promise<void> {
    try {
      await listPreferences.set(this.type.plural, change);
    } catch (problem) {
      toast(errorText(problem), { kind: 'error' });
    }
  }

  async setSize(size: number): Promise<void> {
    const next = withChange(this.state, { size });
    await this.keep({ size });
    this.show(next, { replace: true });
  }
}
