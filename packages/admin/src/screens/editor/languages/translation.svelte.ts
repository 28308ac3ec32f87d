import { localizedFields } from '../../../api/content-languages.ts';
import type { ContentTypeInfo } from '../../../api/content-type-info.ts';
import { session } from '../../../app/session.svelte.ts';
import { draftOf } from '../../../editing/client-record-service.ts';
import type { Values } from '../../../editing/editing-state.ts';
import { languageFacts } from './language-facts.ts';
import { isFilled, missingIn } from './language-state.ts';

/** Whether translations stand beside their source, in this browser. */
const besideKey = 'recto.translation-beside';

function readBeside(): boolean {
  try {
    return localStorage.getItem(besideKey) === 'yes';
  } catch {
    return false;
  }
}

/** What a record says in another language than the one that is written: to read beside it, and to copy from. */
export class Translation {
  readonly type: ContentTypeInfo;
  /** The language that is written. */
  readonly language: string;
  readonly languages: readonly string[];
  readonly localized: readonly string[];
  readonly #path: string;
  readonly #known = new Map<string, Values>();
  #source = $state('');
  #values = $state.raw<Values>({});
  #isOutdated = $state(false);
  #isBeside = $state(readBeside());
  #asked = 0;

  constructor(
    type: ContentTypeInfo,
    {
      language,
      languages,
      path,
    }: { readonly language: string; readonly languages: readonly string[]; readonly path: string },
  ) {
    this.type = type;
    this.language = language;
    this.languages = languages;
    this.localized = localizedFields(type);
    this.#path = path;
    this.#source = this.main;
  }

  /** The default language, in which every record begins. */
  get main(): string {
    return this.languages[0] ?? '';
  }

  /** The language that is shown beside the one that is written. */
  get source(): string {
    return this.#source;
  }

  /** What the record says in it. */
  get values(): Values {
    return this.#values;
  }

  get isBeside(): boolean {
    return this.#isBeside;
  }

  set isBeside(next: boolean) {
    this.#isBeside = next;
    try {
      localStorage.setItem(besideKey, next ? 'yes' : 'no');
    } catch {
      // The choice lasts as long as the page.
    }
  }

  /** Whether the account writes in the language. */
  get mayWrite(): boolean {
    return this.type.writesIn?.includes(this.language) !== false;
  }

  /** Whether the default language has changed since this one was written. */
  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /** Reads what the default language says. */
  async start(): Promise<void> {
    await Promise.all([this.show(this.main), this.look()]);
  }

  /** Asks whether it is outdated. */
  async look(): Promise<void> {
    const all = await languageFacts(this.#path);
    this.#isOutdated = all.get(this.language)?.outdated === true;
  }

  /** Shows another language beside the one that is written. */
  async show(source: string): Promise<void> {
    this.#asked += 1;
    const own = this.#asked;
    const values = await this.valuesOf(source);
    // Another was chosen meanwhile.
    if (own !== this.#asked) return;
    this.#source = source;
    this.#values = values;
  }

  /** What the record says in a language. Read once. */
  async valuesOf(tag: string): Promise<Values> {
    const known = this.#known.get(tag);
    if (known !== undefined) return known;
    const query = tag === this.main ? {} : { language: tag };
    const read = await session.client.request<Values>('GET', this.#path, { query });
    // What is drafted is what the form of that language shows.
    const shown = { ...read, ...draftOf(read)?.changes };
    this.#known.set(tag, shown);
    return shown;
  }

  /** The localized fields that have a value in the default language, and none here. */
  missing(values: Values): readonly string[] {
    return missingIn(this.localized, this.#known.get(this.main) ?? {}, values);
  }

  /** The values that can be copied: of all fields that the account writes, or of those that are empty here. Addresses stay as each language has them. */
  toCopy(values: Values, onlyEmpty: boolean): Values {
    const others = new Set(
      this.type.fields.filter(({ field_type, writable }) => field_type === 'uid' || !writable).map(({ name }) => name),
    );
    const names = this.localized.filter(
      (name) => !others.has(name) && isFilled(this.#values[name]) && !(onlyEmpty && isFilled(values[name])),
    );
    return Object.fromEntries(names.map((name) => [name, this.#values[name]]));
  }
}
