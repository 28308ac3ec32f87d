import { languagesOf, otherLanguage } from '../../../api/content-languages.ts';
import type { ContentTypeInfo } from '../../../api/content-type-info.ts';
import { errorText } from '../../../api/query.svelte.ts';
import { navigate, place } from '../../../app/navigation.svelte.ts';
import { toast } from '../../../ui/toasts.svelte.ts';
import { type ListLook, lookOf } from '../columns/list-look.ts';
import { type ListPreference, listPreferences } from '../columns/list-preferences.svelte.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import { type ListState, readState, stateQuery, withChange } from './list-state.ts';

/** What a list shows, as the address of the page has it. Each change is another address, so that the browser's way back works. */
export class ListAddress {
  readonly #type: () => ContentTypeInfo;
  readonly preference = $derived.by(() => listPreferences.of(this.type.plural));
  /** The languages that records are written in, the default first; empty: no field is localized. */
  readonly languages = $derived.by(() => languagesOf(this.type));
  readonly state = $derived.by((): ListState => {
    const state = readState(place.query, this.preference.size);
    // The address may be of another time, or of another service.
    const known = (tag: string) => otherLanguage(this.languages, tag) ?? '';
    return { ...state, language: known(state.language), missing: known(state.missing) };
  });
  /** Each saved view has a look of its own, and that of the type until another is chosen. */
  readonly look = $derived.by((): ListLook => {
    const ofView = lookOf(listPreferences.of(this.#lookName));
    return { density: 'normal', layout: 'table', ...lookOf(this.preference), ...ofView };
  });
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

  get #lookName(): string {
    const { view } = this.state;
    return view === '' ? this.type.plural : `${this.type.plural}:${view}`;
  }

  /** Shows the list so from now on: to this person, in this view. */
  setLook(look: Partial<ListLook>): Promise<void> {
    return this.#keepAs(this.#lookName, look);
  }

  /** Remembers what this person wants of lists of this type. */
  keep(change: Partial<ListPreference>): Promise<void> {
    return this.#keepAs(this.type.plural, change);
  }

  async #keepAs(name: string, change: Partial<ListPreference>): Promise<void> {
    try {
      await listPreferences.set(name, change);
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
