import { EditingDriver } from './editing-driver.ts';
import { EditingMachine, type EditingRules } from './editing-machine.ts';
import type {
  Act,
  EditingEvent,
  EditingState,
  FieldIssue,
  KeptFields,
  Loaded,
  Phase,
  SaveRequest,
  Values,
} from './editing-state.ts';
import type { CopyPlace, LocalCopy, LocalStore } from './local-copy.ts';
import type { RecordService } from './record-service.ts';
import { sameValue } from './same-value.ts';
import { type SavingStatus, savingStatus } from './saving-status.ts';
import { type TabPresence, tabPresence } from './tab-presence.ts';
import type { Typing } from './typing.ts';

export interface SessionOptions {
  readonly rules: Omit<EditingRules, 'session'>;
  /** The record as it was just read; or the defaults of a new one. */
  readonly start: Loaded | { readonly defaults: Values };
  readonly account: string;
  readonly place: Omit<CopyPlace, 'record' | 'account'>;
  readonly service: RecordService;
  readonly store: LocalStore;
  readonly title: (values: Values) => string;
  readonly pause: (state: EditingState) => number | null;
  readonly onsignin: (isAsked: boolean) => void;
  /** After the service has stored something. */
  readonly onsaved?: (state: EditingState, request: SaveRequest) => void;
  /** A request failed: the form shows the errors, where somebody asked for the save. */
  readonly onrefused?: (issues: readonly FieldIssue[]) => void;
}

/** What another editor of this browser has kept of the record, and what of it the record does not have. */
export interface CopyOffer {
  readonly copy: LocalCopy;
  /** The fields that differ from the record. */
  readonly names: readonly string[];
}

const noNames: readonly string[] = [];

/** One open record, for components: the state machine with its values as signals, so that only what changed is drawn. */
export class EditingSession {
  readonly #driver: EditingDriver;
  readonly #machine: EditingMachine;
  readonly #options: SessionOptions;
  readonly #tab = randomName();
  readonly #cells = new Map<string, { get value(): unknown; set value(next: unknown) }>();
  #presence: TabPresence | undefined;
  readonly #stopListening: () => void;
  #state: EditingState;
  #shown: EditingState;
  #dirty: readonly string[];
  // The state changes at each key, and these rarely: what shows them is left alone meanwhile.
  readonly #phase = $derived.by(() => this.#shown.phase);
  readonly #status = $derived.by(() => savingStatus(this.#machine, this.#shown));
  readonly #conflicts = $derived.by(() =>
    this.#phase.kind === 'conflict' ? this.#machine.conflicts(this.#shown) : noNames,
  );

  /** What was typed in this frame: settled before the record is looked at for something that a person asks for. */
  readonly typing: Typing;
  /** The fields of the form. Reading one depends on that one alone. */
  readonly values: Values;
  /** When the service last stored something, in milliseconds since 1970. */
  savedAt = $state<number | undefined>(undefined);
  /** What other editors have kept of the record, until somebody decides about it. */
  offers = $state.raw<readonly CopyOffer[]>([]);
  /** Whether other tabs of this browser have the record open. */
  otherTabs = $state(0);
  /** False: this browser keeps no copies, so that leaving the page loses what is not saved. */
  canKeep = $state(true);

  constructor(options: SessionOptions) {
    const { rules, start, account, place, service, store } = options;
    this.#options = options;
    this.#machine = new EditingMachine({ ...rules, session: this.#tab });
    const state =
      'defaults' in start ? this.#machine.create(start.defaults, account) : this.#machine.open(start, account);
    this.#state = state;
    this.#shown = $state.raw(state);
    this.#dirty = $state.raw([]);
    this.values = this.#signals(state);
    this.#driver = new EditingDriver({
      machine: this.#machine,
      state,
      service,
      store,
      place,
      tab: this.#tab,
      title: () => options.title(this.values),
      pause: options.pause,
      secrets: rules.secrets ?? new Set(),
      onstep: (next, event) => this.#onstep(next, event),
      onsignin: options.onsignin,
    });
    this.typing = this.#driver.typing;
    this.#listen(state.id);
    this.#stopListening = store.onRemoved(() => void this.#dropStale());
  }

  get state(): EditingState {
    return this.#shown;
  }

  get status(): SavingStatus {
    return this.#status;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** The fields that the service lacks. */
  get dirty(): readonly string[] {
    return this.#dirty;
  }

  /** Whether there is something to save, be it that the last autosave is kept. */
  get canSave(): boolean {
    return this.status !== 'clean' || this.#shown.id === null || this.#machine.mayKeep(this.#shown);
  }

  get conflicts(): readonly string[] {
    return this.#conflicts;
  }

  change(name: string, value: unknown): void {
    this.#driver.dispatch({ kind: 'change', name, value: $state.snapshot(value) });
  }

  /** Somebody is in a field now, or in none. */
  focus(name: string | null): void {
    this.#driver.dispatch({ kind: 'focus', name });
  }

  save(): void {
    this.#driver.dispatch({ kind: 'ask', intent: { kind: 'save' } });
  }

  /** Saves, with values that are not in the form. */
  saveWith(set: Values): void {
    this.#driver.dispatch({ kind: 'ask', intent: { kind: 'save-with', set } });
  }

  /** Saves, and then does something with the record. */
  act(act: Act): void {
    this.#driver.dispatch({ kind: 'ask', intent: { kind: 'act', act, flushed: false } });
  }

  choose(name: string, side: 'mine' | 'theirs'): void {
    this.#driver.dispatch({ kind: 'choose', name, side });
  }

  /** Gives up what was typed, here and in the copy of it. */
  discard(): Promise<void> {
    return this.#driver.forget();
  }

  signedIn(account: string): void {
    this.#driver.dispatch({ kind: 'signed-in', account });
  }

  saveAsNew(account: string): void {
    this.#driver.dispatch({ kind: 'save-as-new', account });
  }

  /** Another has changed the record: it is read again. */
  changedElsewhere(): void {
    this.#driver.dispatch({ kind: 'changed-elsewhere' });
  }

  retryNow(): void {
    this.#driver.retryNow();
  }

  /** Looks for copies that other editors have left. */
  async lookForCopies(): Promise<void> {
    this.typing.settle();
    const { store } = this.#options;
    try {
      const place = this.#place();
      const copies = await store.copiesOf(place);
      const open = (await this.#presence?.others()) ?? [];
      this.otherTabs = open.length;
      // The new record was stored meanwhile.
      if (place.record !== this.#place().record) return;
      const left = copies.filter(({ tab }) => tab !== this.#tab && !open.includes(tab));
      const offers = left.map((copy) => ({ copy, names: this.#differing(copy.fields) }));
      // The service has all of it: nobody needs to be asked. What the form does not show now stays where it is.
      const isShown = ({ copy }: CopyOffer): boolean =>
        Object.keys(copy.fields).every((name) => this.#state.fields.has(name));
      for (const offer of offers) if (offer.names.length === 0 && isShown(offer)) await store.remove(offer.copy);
      this.offers = offers.filter(({ names }) => names.length > 0);
    } catch {
      this.canKeep = false;
    }
  }

  async takeUp({ copy }: CopyOffer): Promise<void> {
    this.#driver.dispatch({ kind: 'restore', kept: copy.fields, unsettled: copy.unsettled });
    // It is kept under this editor's name before the other one's is removed.
    await this.#driver.keepNow();
    await this.#drop(copy);
  }

  async decline({ copy }: CopyOffer): Promise<void> {
    await this.#drop(copy);
  }

  /** Takes back that an offer was declined. */
  async offerAgain({ copy }: CopyOffer): Promise<void> {
    await this.#options.store.put(copy).catch(() => undefined);
    await this.lookForCopies();
  }

  /** Values are put into the form as if somebody had typed them, such as those of a revision. */
  fill(values: Values): void {
    for (const [name, value] of Object.entries(values)) if (this.#cells.has(name)) this.change(name, value);
  }

  keepNow(): Promise<void> {
    return this.#driver.keepNow();
  }

  close(): void {
    this.#driver.stop();
    this.#stopListening();
    this.#presence?.close();
    // A request that ends later, such as an undo, has nobody to say it to.
    this.#presence = undefined;
  }

  async #drop(copy: LocalCopy): Promise<void> {
    this.offers = this.offers.filter((offer) => offer.copy !== copy);
    await this.#options.store.remove(copy).catch(() => undefined);
  }

  /** Takes away offers of what another page has saved, taken up or thrown away. */
  async #dropStale(): Promise<void> {
    if (this.offers.length === 0) return;
    const copies = await this.#options.store.copiesOf(this.#place()).catch(() => undefined);
    if (copies === undefined) return;
    const left = new Set(copies.map(({ tab }) => tab));
    this.offers = this.offers.filter(({ copy }) => left.has(copy.tab));
  }

  #place(): CopyPlace {
    const { account, id } = this.#state;
    return { ...this.#options.place, account, record: id ?? 'new' };
  }

  #differing(fields: KeptFields): readonly string[] {
    const same = this.#options.rules.same;
    return Object.entries(fields).flatMap(([name, { mine }]) => {
      const field = this.#state.fields.get(name);
      if (field === undefined) return [];
      return sameValue(mine, field.mine) || same?.(name, mine, field.mine) === true ? [] : [name];
    });
  }

  #signals(state: EditingState): Values {
    const values: Record<string, unknown> = {};
    for (const [name, { mine }] of state.fields) {
      let value = $state.raw(mine);
      this.#cells.set(name, {
        get value() {
          return value;
        },
        set value(next) {
          value = next;
        },
      });
      Object.defineProperty(values, name, { enumerable: true, get: () => value });
    }
    return values;
  }

  #onstep(state: EditingState, event: EditingEvent): void {
    const before = this.#state;
    this.#state = state;
    this.#shown = state;
    for (const [name, field] of state.fields) {
      if (before.fields.get(name) === field) continue;
      const cell = this.#cells.get(name);
      if (cell !== undefined && cell.value !== field.mine) cell.value = field.mine;
    }
    const dirty = this.#machine.dirty(state);
    if (!sameValue(dirty, this.#dirty)) this.#dirty = dirty;
    this.canKeep = this.#driver.canKeep;
    if (event.kind === 'answered' && before.phase.kind === 'sending') this.#stored(before, state, before.phase.request);
    if (event.kind === 'refused' && state.phase.kind === 'failed') this.#options.onrefused?.(state.issues);
  }

  #stored(before: EditingState, state: EditingState, request: SaveRequest): void {
    this.savedAt = Date.now();
    if (before.id === null) {
      // They are of other new records, and wait for the next one.
      this.offers = [];
      this.#listen(state.id);
    }
    this.#presence?.saved();
    this.#options.onsaved?.(state, request);
  }

  /** Hears of other tabs that have the record open. */
  #listen(id: string | null): void {
    this.#presence?.close();
    this.#presence = tabPresence({ ...this.#options.place, record: id ?? 'new' }, this.#tab);
    this.#presence.onSaved(() => this.changedElsewhere());
  }
}

/** `crypto.randomUUID` is missing on pages without TLS. */
function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
