import type { EditingMachine } from './editing-machine.ts';
import type { EditingEvent, EditingState, Effect, SaveRequest } from './editing-state.ts';
import type { CopyPlace, LocalCopy, LocalStore } from './local-copy.ts';
import type { RecordService } from './record-service.ts';
import { refusalOf } from './refusal.ts';
import { realTimers, type Timers } from './timers.ts';
import { Typing } from './typing.ts';

export interface DriverOptions {
  readonly machine: EditingMachine;
  readonly state: EditingState;
  readonly service: RecordService;
  readonly store: LocalStore;
  /** Where copies are kept, but for the account and the record. */
  readonly place: Omit<CopyPlace, 'record' | 'account'>;
  /** Names this editor among all that have the record open. */
  readonly tab: string;
  /** How the record is called now. */
  readonly title: (state: EditingState) => string;
  /** How long typing has to rest until a change is sent by itself, in milliseconds; null: not by itself. */
  readonly pause: (state: EditingState) => number | null;
  /** Must not be sent to, nor kept: secrets. */
  readonly secrets?: ReadonlySet<string>;
  readonly onstep: (state: EditingState, event: EditingEvent) => void;
  /** Somebody has to sign in; what comes of it is a `signed-in`. `isAsked`: for what they asked for, and not for what is sent by itself. */
  readonly onsignin: (isAsked: boolean) => void;
  readonly timers?: Timers;
}

/** Typing is kept on this machine after this time at the latest, in milliseconds, and about as often at most. */
const keepWithin = 100;
/** A copy that cannot be written must not hold up saving for longer than this. */
const longestKeeping = 1000;
/** However long somebody types without a rest, a change is sent after this many pauses. */
const longestTyping = 8;

/** Does what the machine says: sends requests, keeps copies, and waits. The state is the machine's alone. */
export class EditingDriver {
  state: EditingState;
  /** What was typed in this frame. It becomes part of the state after the frame, or before the next step. */
  readonly typing: Typing;
  readonly #options: DriverOptions;
  readonly #timers: Timers;
  /** Whether the last copy could be kept. */
  canKeep = true;
  #cancelKeep: (() => void) | undefined;
  #lastKeep = Number.NEGATIVE_INFINITY;
  #cancelRetry: (() => void) | undefined;
  #cancelPause: (() => void) | undefined;
  #dirtySince: number | undefined;
  #keeping: Promise<void> = Promise.resolve();
  #keptAs: (CopyPlace & { readonly tab: string }) | undefined;
  #isStopped = false;
  /** Whether a person waits for what is done now. Whoever goes on writing does not: a dialog would take what they type. */
  #isAsked = false;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#timers = options.timers ?? realTimers;
    this.typing = new Typing(this.#timers);
    this.state = options.state;
  }

  dispatch(event: EditingEvent): void {
    // Not as a part of the step: what was typed is no answer to it.
    this.typing.settle();
    if (event.kind === 'ask' || event.kind === 'choose' || event.kind === 'save-as-new') this.#isAsked = true;
    this.#step(event);
  }

  #step(event: EditingEvent): void {
    this.typing.settle();
    const { state, effects } = this.#options.machine.step(this.state, event);
    this.state = state;
    for (const effect of effects) this.#run(effect);
    if (restful.has(this.state.phase.kind) || event.kind === 'change') this.#isAsked = false;
    this.#scheduleSave(event);
    this.#options.onstep(state, event);
  }

  /** The connection is back: no need to wait for the time. */
  retryNow(): void {
    this.#cancelRetry?.();
    this.dispatch({ kind: 'retry' });
  }

  /** Keeps what was typed now, such as when the page goes away. */
  keepNow(): Promise<void> {
    this.typing.settle();
    this.#cancelKeep?.();
    this.#cancelKeep = undefined;
    this.#lastKeep = this.#timers.now();
    this.#keeping = this.#keeping.then(() => this.#keep());
    return this.#keeping;
  }

  /** What was typed is given up. */
  async forget(): Promise<void> {
    this.dispatch({ kind: 'discard' });
    await this.keepNow();
  }

  /** The record is closed here. A request that is on its way ends by itself; what it does not store stays kept. */
  stop(): void {
    this.typing.settle();
    this.#isStopped = true;
    this.#cancelPause?.();
    this.#cancelRetry?.();
    void this.keepNow();
  }

  /** Right after a key is shown, the page has time for a copy. A fixed time later, the next key would often have to wait for it. */
  #keepSoon(): () => void {
    const since = Math.max(0, this.#timers.now() - this.#lastKeep);
    return this.#timers.after(Math.max(0, keepWithin - since), () => void this.keepNow());
  }

  #run(effect: Effect): void {
    switch (effect.kind) {
      case 'keep':
        this.#cancelKeep ??= this.#keepSoon();
        return;
      case 'send':
        void this.#send(effect.request);
        return;
      case 'read':
        void this.#answer(effect.number, this.#options.service.read(effect.id));
        return;
      case 'wait':
        this.#cancelRetry?.();
        if (!this.#isStopped) {
          this.#cancelRetry = this.#timers.after(retryAfter(effect.attempts), () => this.dispatch({ kind: 'retry' }));
        }
        return;
      case 'sign-in':
        this.#options.onsignin(this.#isAsked);
        return;
    }
  }

  async #send(request: SaveRequest): Promise<void> {
    let cancel: (() => void) | undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.#timers.after(longestKeeping, resolve);
    });
    await Promise.race([this.keepNow(), late]);
    cancel?.();
    await this.#answer(request.number, this.#options.service.send(request));
  }

  async #answer(number: number, answer: ReturnType<RecordService['read']>): Promise<void> {
    const event = await answer.then(
      (loaded): EditingEvent => ({ kind: 'answered', number, loaded }),
      (error: unknown): EditingEvent => ({ kind: 'refused', number, refusal: refusalOf(error) }),
    );
    this.dispatch(event);
  }

  /** Asks for a save when typing rests. */
  #scheduleSave(event: EditingEvent): void {
    const { machine } = this.#options;
    if (this.#isStopped) return;
    const isQuiet = this.state.phase.kind === 'idle' && machine.dirty(this.state).length > 0;
    const pause = isQuiet ? this.#options.pause(this.state) : null;
    if (pause === null) {
      this.#cancelPause?.();
      this.#cancelPause = undefined;
      this.#dirtySince = undefined;
      return;
    }
    if (event.kind !== 'change' && this.#cancelPause !== undefined) return;
    const now = this.#timers.now();
    this.#dirtySince ??= now;
    const latest = this.#dirtySince + longestTyping * pause;
    this.#cancelPause?.();
    this.#cancelPause = this.#timers.after(Math.max(0, Math.min(pause, latest - now)), () => {
      this.#cancelPause = undefined;
      this.#dirtySince = undefined;
      this.#step({ kind: 'ask', intent: { kind: 'save', isAuto: true } });
    });
  }

  async #keep(): Promise<void> {
    const { machine, store, tab, title, secrets } = this.#options;
    const { state } = this;
    const fields = machine.kept(state);
    const request = machine.unsettled(state);
    // A request with a secret is not kept: a page that takes up the text asks the person once more.
    const isSecret = request?.own.some((name) => secrets?.has(name)) === true;
    const unsettled = isSecret ? null : request;
    // Another account may have saved the text as its own.
    const place = { ...this.#options.place, account: state.account, record: state.id ?? 'new', tab };
    const before = this.#keptAs;
    try {
      if (Object.keys(fields).length > 0 || unsettled !== null) {
        const copy: LocalCopy = { ...place, at: this.#timers.now(), title: title(state), fields, unsettled };
        await store.put(copy);
        this.#keptAs = place;
      } else {
        this.#keptAs = undefined;
      }
      const isMoved = before?.record !== place.record || before.account !== place.account;
      if (before !== undefined && (this.#keptAs === undefined || isMoved)) await store.remove(before);
      this.canKeep = true;
    } catch {
      this.canKeep = false;
    }
  }
}

/** Nothing is under way that somebody could wait for. */
const restful: ReadonlySet<EditingState['phase']['kind']> = new Set(['idle', 'failed', 'gone']);

/** Doubles from a second to half a minute. */
const retryAfter = (attempts: number): number => Math.min(30_000, 1000 * 2 ** Math.min(10, attempts - 1));
