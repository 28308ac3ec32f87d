import type {
  EditingEvent,
  EditingState,
  Effect,
  Intent,
  KeptFields,
  Loaded,
  Refusal,
  SaveRequest,
  Step,
  Values,
} from './editing-state.ts';
import {
  answered,
  changed,
  chosen,
  cleanField,
  discarded,
  type FieldState,
  isConflict,
  isDirty,
  left,
  merged,
  restored,
  type Same,
} from './field-state.ts';
import { FieldsWhere } from './fields-where.ts';
import { sameValue } from './same-value.ts';

/** What the machine knows of the type whose record is open. */
export interface EditingRules {
  /** The fields that a form can change. */
  readonly names: readonly string[];
  /** Fields whose values the service never returns. */
  readonly secrets?: ReadonlySet<string>;
  readonly same?: (name: string, one: unknown, other: unknown) => boolean;
  /** False: the value is not complete, such as half a date. It is kept here and not sent. */
  readonly canSend?: (value: unknown) => boolean;
  /** What every update has in its body, such as a `lock_version`. */
  readonly more?: (record: Values) => Values;
  /** Random; requests of this page have keys that begin with it. */
  readonly session: string;
}

/**
 * The saving of one open record: what was typed, what the service has, and the one request between them. It is pure: a step takes a
 * state and an event, and returns the next state and what has to be done. Steps never throw and are safe in any order; answers to
 * requests that are no longer waited for change nothing.
 */
export class EditingMachine {
  readonly #rules: EditingRules;
  readonly #sames = new Map<string, Same>();
  readonly #dirty = new FieldsWhere(isDirty, (name) => this.#same(name));
  readonly #conflicts = new FieldsWhere(isConflict, (name) => this.#same(name));

  constructor(rules: EditingRules) {
    this.#rules = rules;
  }

  /** A record that was just read. */
  open(loaded: Loaded, account: string): EditingState {
    const { id, tag, record, target } = loaded;
    return { ...this.#empty(account, record), id, tag, target };
  }

  /** A record that is not stored yet, with the defaults of its fields. */
  create(defaults: Values, account: string): EditingState {
    return this.#empty(account, defaults);
  }

  step(state: EditingState, event: EditingEvent): Step {
    switch (event.kind) {
      case 'change':
        return this.#change(state, event.name, event.value);
      case 'focus':
        return this.#focus(state, event.name);
      case 'ask':
        return this.#ask(state, event.intent);
      case 'answered':
        return this.#answered(state, event.number, event.loaded);
      case 'refused':
        return this.#refused(state, event.number, event.refusal);
      case 'retry':
        return state.phase.kind === 'waiting' ? this.#next(state) : same(state);
      case 'signed-in':
        return this.#signedIn(state, event.account);
      case 'changed-elsewhere':
        return this.#changedElsewhere(state);
      case 'choose':
        return this.#choose(state, event.name, event.side);
      case 'discard':
        return this.#discard(state);
      case 'restore':
        return this.#restore(state, event.kept, event.unsettled);
      case 'save-as-new':
        return this.#saveAsNew(state, event.account);
    }
  }

  /** The fields that the service lacks. */
  dirty(state: EditingState): readonly string[] {
    return this.#dirty.of(state.fields);
  }

  /** The fields of which a person has to choose a version. */
  conflicts(state: EditingState): readonly string[] {
    return this.#conflicts.of(state.fields);
  }

  /** Whether there is a version that goes with the next change, unless somebody saves it. */
  mayKeep({ isAutosaved, target }: EditingState): boolean {
    return isAutosaved && target === 'record';
  }

  /** The request of which nobody knows yet whether it was executed. */
  unsettled({ phase, unsettled }: EditingState): SaveRequest | null {
    return unsettled ?? (phase.kind === 'sending' && phase.isGivenUp !== true ? phase.request : null);
  }

  /** What has to outlive this page: what was typed, without secrets. */
  kept(state: EditingState): KeptFields {
    // What was taken back since it was sent is no different from before, and has to be sent again.
    const sent = this.unsettled(state)?.own ?? [];
    const names = new Set([...this.dirty(state), ...this.conflicts(state), ...sent]);
    const shown = [...names].filter((name) => state.fields.has(name) && this.#rules.secrets?.has(name) !== true);
    return Object.fromEntries(shown.map((name) => [name, pick(state.fields.get(name))]));
  }

  #empty(account: string, record: Values): EditingState {
    const fields = this.#rules.names.map((name): [string, FieldState] => [name, cleanField(record[name] ?? null)]);
    return {
      ...{ id: null, account, target: 'create', tag: null, record, fields: new Map(fields), focused: null },
      ...{ phase: { kind: 'idle' }, isStale: false, unsettled: null, intent: null, rebase: new Map(), issues: [] },
      ...{ isAutosaved: false, attempts: 0, trouble: 'offline', rounds: 0, number: 0 },
    };
  }

  #same(name: string): Same {
    const { same: own } = this.#rules;
    if (own === undefined) return sameValue;
    const known = this.#sames.get(name);
    if (known !== undefined) return known;
    const made: Same = (one, other) => sameValue(one, other) || own(name, one, other);
    this.#sames.set(name, made);
    return made;
  }

  #canSend = (value: unknown): boolean => this.#rules.canSend?.(value) ?? true;

  #map(state: EditingState, change: (field: FieldState, name: string, same: Same) => FieldState): EditingState {
    const fields = [...state.fields].map(([name, field]): [string, FieldState] => [
      name,
      change(field, name, this.#same(name)),
    ]);
    return { ...state, fields: new Map(fields) };
  }

  #with(state: EditingState, name: string, change: (field: FieldState, same: Same) => FieldState): EditingState {
    const field = state.fields.get(name);
    if (field === undefined) return state;
    const fields = new Map(state.fields).set(name, change(field, this.#same(name)));
    this.#dirty.follow(state.fields, fields, name);
    this.#conflicts.follow(state.fields, fields, name);
    return { ...state, fields };
  }

  #change(before: EditingState, name: string, value: unknown): Step {
    const typed = this.#with(before, name, (field) => changed(field, value));
    const issues = typed.issues.filter((issue) => !isWithin(issue.field, name));
    const state = { ...typed, issues };
    if (state.phase.kind === 'failed') return { state: { ...state, phase: idle }, effects: [keep] };
    return this.#reconsider(state);
  }

  /** Typing and choosing can begin and end a conflict. */
  #reconsider(state: EditingState): Step {
    const { kind } = state.phase;
    if (kind !== 'idle' && kind !== 'conflict') return { state, effects: [keep] };
    const isDisputed = this.conflicts(state).length > 0;
    if (isDisputed) return { state: { ...state, phase: { kind: 'conflict' } }, effects: [keep] };
    if (kind === 'idle') return { state, effects: [keep] };
    return this.#next(state, [keep]);
  }

  #focus(before: EditingState, name: string | null): Step {
    if (before.focused === name) return same(before);
    const { focused } = before;
    const state = focused === null ? before : this.#with(before, focused, left);
    return { state: { ...state, focused: name }, effects: [] };
  }

  #ask(before: EditingState, intent: Intent): Step {
    const state = { ...before, intent: strongest(before.intent, intent) };
    switch (state.phase.kind) {
      case 'idle':
      case 'failed':
      case 'waiting':
      case 'conflict':
        return this.#next(state);
      case 'sending':
      case 'reading':
        return same(state);
      case 'signed-out':
        return { state, effects: [{ kind: 'sign-in' }] };
      case 'gone':
        return same(before);
    }
  }

  /** What is to be done now, where nothing is on its way. */
  #next(state: EditingState, effects: readonly Effect[] = []): Step {
    if (state.unsettled !== null) return send(state, state.unsettled, effects);
    if (state.id !== null && (state.isStale || (state.intent !== null && state.tag === null))) {
      return read(state, state.id, effects);
    }
    if (this.conflicts(state).length > 0) return { state: { ...state, phase: { kind: 'conflict' } }, effects };
    const { intent } = state;
    if (intent === null) return { state: { ...state, phase: idle }, effects };
    const dirty = this.dirty(state).filter((name) => this.#canSend(state.fields.get(name)?.mine));
    if (intent.kind === 'act' && (intent.flushed || (dirty.length === 0 && state.id !== null))) {
      return this.#send({ ...state, intent: null }, {}, {}, intent, effects);
    }
    const keepsAutosave = intent.kind === 'save' && intent.isAuto !== true && this.mayKeep(state);
    if (
      intent.kind === 'save' &&
      dirty.length === 0 &&
      state.rebase.size === 0 &&
      state.id !== null &&
      !keepsAutosave
    ) {
      return { state: { ...state, intent: null, phase: idle }, effects };
    }
    const set = intent.kind === 'save-with' ? intent.set : {};
    return this.#send({ ...state, intent: rest(intent, state) }, this.#toSend(state, dirty), set, intent, effects);
  }

  #toSend(state: EditingState, dirty: readonly string[]): Values {
    if (state.rebase.size > 0) return Object.fromEntries(state.rebase);
    // A new record has all that the form shows; what is empty is left to the service.
    const names = state.id === null ? [...state.fields.keys()] : dirty;
    const values = names.map((name) => [name, state.fields.get(name)?.mine ?? null]);
    if (state.id !== null) return Object.fromEntries(values);
    return Object.fromEntries(values.filter(([, value]) => !isEmpty(value) && this.#canSend(value)));
  }

  #send(state: EditingState, values: Values, set: Values, intent: Intent, effects: readonly Effect[]): Step {
    const number = state.number + 1;
    const { id, target, tag } = state;
    const more = { ...(id === null ? {} : this.#rules.more?.(state.record)), ...set };
    const act = intent.kind === 'act' && state.intent === null && id !== null ? intent.act : null;
    const key = `${this.#rules.session}-${number}`;
    const own = [...state.fields.keys()].filter((name) => id === null || Object.hasOwn(values, name));
    const autosave = intent.kind === 'save' && target === 'record' ? { autosave: intent.isAuto === true } : {};
    const request: SaveRequest = { number, key, id, target, tag, values, own, more, act, ...autosave };
    return send({ ...state, issues: [] }, request, effects);
  }

  #answered(state: EditingState, number: number, loaded: Loaded): Step {
    const { phase } = state;
    if (phase.kind === 'sending' && phase.request.number === number) return this.#stored(state, phase.request, loaded);
    if (phase.kind === 'reading' && phase.number === number) return this.#read(state, loaded);
    return same(state);
  }

  #stored(before: EditingState, request: SaveRequest, loaded: Loaded): Step {
    const replayed = loaded.isReplay === true;
    const shown = replayed ? this.#created(before, loaded) : this.#loaded(before, loaded);
    const state = this.#map(shown, (field, name, same) => {
      const isSent = request.own.includes(name) && !isGivenUp(before);
      if (replayed && !isSent) return field;
      const value = this.#rules.secrets?.has(name) === true ? null : (loaded.record[name] ?? null);
      const sent = isSent ? { value: sentValue(request, name, field.mine) } : undefined;
      if (loaded.isLater !== true) return answered(field, value, sent, hasFocus(before, name), same);
      const stored = sent === undefined ? field : answered(field, sent.value, sent, hasFocus(before, name), same);
      return merged(stored, value, hasFocus(before, name), same);
    });
    const isStale = state.isStale || replayed;
    const isAutosaved = request.autosave === true;
    return this.#next({ ...state, isStale, isAutosaved, unsettled: null, rebase: new Map(), attempts: 0, rounds: 0 }, [
      keep,
    ]);
  }

  /** Of a record as it was before, the address alone. */
  #created(state: EditingState, { id, target }: Loaded): EditingState {
    return state.id === null ? { ...state, id, target } : state;
  }

  #read(before: EditingState, loaded: Loaded): Step {
    const state = this.#map(this.#loaded(before, loaded), (field, name, same) =>
      this.#rules.secrets?.has(name) === true
        ? field
        : merged(field, loaded.record[name] ?? null, hasFocus(before, name), same),
    );
    // Without a tag, as where a proxy takes it away, nothing can be sent that is sure to overwrite nothing.
    if (loaded.tag === null && state.intent !== null) return failed({ ...state, isStale: false }, '');
    return this.#next({ ...state, isStale: false, attempts: 0 }, [keep]);
  }

  #loaded(state: EditingState, { id, tag, target, record }: Loaded): EditingState {
    return { ...state, id, tag, target, record };
  }

  #refused(state: EditingState, number: number, refusal: Refusal): Step {
    const { phase } = state;
    if (phase.kind === 'sending' && phase.request.number === number) return this.#unsent(state, phase.request, refusal);
    if (phase.kind === 'reading' && phase.number === number) return this.#unread(state, refusal);
    return same(state);
  }

  #unsent(state: EditingState, request: SaveRequest, refusal: Refusal): Step {
    switch (refusal.kind) {
      case 'offline':
      case 'busy':
        return wait(undecided(state, request), refusal);
      case 'done-before':
        return this.#doneBefore({ ...state, id: state.id ?? refusal.id }, request);
      case 'stale':
        // A person looks at what another has changed before the record is published or the like. What they typed is stored all the same.
        return this.#again({
          ...state,
          unsettled: null,
          intent: isGivenUp(state)
            ? null
            : request.autosave === true
              ? { kind: 'save', isAuto: true }
              : { kind: 'save' },
          isStale: true,
        });
      case 'draft-conflict':
        return this.#contest({ ...state, unsettled: null, intent: { kind: 'save' } }, refusal.values);
      case 'signed-out':
        // The service looks at the session first: an earlier attempt may have been executed.
        return {
          state: { ...undecided(state, request), phase: { kind: 'signed-out' }, attempts: 0, rounds: state.rounds + 1 },
          effects: [keep, { kind: 'sign-in' }],
        };
      case 'removed':
        return gone(state, 'removed');
      case 'invalid':
        return failed({ ...state, issues: refusal.issues }, refusal.message);
      case 'rejected':
        return failed(state, refusal.message);
    }
  }

  #unread(state: EditingState, refusal: Refusal): Step {
    switch (refusal.kind) {
      case 'offline':
      case 'busy':
        return wait(state, refusal);
      case 'signed-out':
        return {
          state: { ...state, phase: { kind: 'signed-out' }, attempts: 0, rounds: state.rounds + 1 },
          effects: [{ kind: 'sign-in' }],
        };
      case 'removed':
        return gone(state, 'removed');
      case 'done-before':
      case 'stale':
      case 'draft-conflict':
        return failed(state, '');
      case 'invalid':
      case 'rejected':
        return failed(state, refusal.message);
    }
  }

  /** What does not go through after some rounds is tried again after pauses: a proxy may change tags, or a server know other secrets. */
  #again(state: EditingState): Step {
    const rounds = state.rounds + 1;
    if (rounds <= mostRounds) return this.#next({ ...state, rounds });
    return wait({ ...state, rounds, attempts: rounds - mostRounds - 1 }, { kind: 'busy', message: '' });
  }

  /** It is known that the request was executed, and not what the record is since. */
  #doneBefore(before: EditingState, request: SaveRequest): Step {
    const state = this.#map(before, (field, name, same) => {
      if (!request.own.includes(name)) return field;
      const value = sentValue(request, name, field.mine);
      return answered(field, value, { value }, hasFocus(before, name), same);
    });
    return this.#next({ ...state, unsettled: null, rebase: new Map(), isStale: state.id !== null }, [keep]);
  }

  #contest(before: EditingState, values: Values): Step {
    const state = this.#map(before, (field, name) =>
      Object.hasOwn(values, name)
        ? { base: field.base, synced: field.synced, mine: field.mine, theirs: { value: values[name] }, contested: true }
        : field,
    );
    return this.#next(state, [keep]);
  }

  #signedIn(state: EditingState, account: string): Step {
    if (account !== state.account) return gone(state, 'account');
    if (state.phase.kind !== 'signed-out') return same(state);
    const late = state.rounds - mostRounds;
    return late > 0 ? wait({ ...state, attempts: late - 1 }, { kind: 'busy', message: '' }) : this.#next(state);
  }

  #changedElsewhere(before: EditingState): Step {
    if (before.id === null) return same(before);
    const state = { ...before, isStale: true };
    return state.phase.kind === 'idle' || state.phase.kind === 'failed' ? this.#next(state) : same(state);
  }

  #choose(before: EditingState, name: string, side: 'mine' | 'theirs'): Step {
    const field = before.fields.get(name);
    if (before.phase.kind !== 'conflict' || field?.theirs === undefined) return same(before);
    if (!isConflict(field, this.#same(name))) return same(before);
    const rebase = new Map(before.rebase);
    if (field.contested === true && side === 'mine') rebase.set(name, field.theirs.value);
    return this.#reconsider(this.#with({ ...before, rebase }, name, (one) => chosen(one, side)));
  }

  #discard(before: EditingState): Step {
    const given = { issues: [], rebase: new Map<string, unknown>(), intent: null, unsettled: null };
    const state: EditingState = { ...this.#map(before, discarded), ...given };
    const { phase } = state;
    if (phase.kind === 'sending') return { state: { ...state, phase: { ...phase, isGivenUp: true } }, effects: [keep] };
    if (phase.kind === 'failed' || phase.kind === 'conflict')
      return { state: { ...state, phase: idle }, effects: [keep] };
    if (before.unsettled === null) return { state, effects: [keep] };
    // Whether it was executed is seen in the record.
    const unsure = { ...state, isStale: state.id !== null };
    return phase.kind === 'waiting' ? this.#next(unsure, [keep]) : { state: unsure, effects: [keep] };
  }

  #restore(before: EditingState, kept: KeptFields, unsettled: SaveRequest | null): Step {
    const taken = this.#map(before, (field, name, same) => {
      const one = Object.hasOwn(kept, name) ? kept[name] : undefined;
      return one === undefined ? field : restored(field, one, same);
    });
    const isFree = before.phase.kind === 'idle' || before.phase.kind === 'failed';
    if (unsettled === null || before.unsettled !== null || !isFree || this.#doesMore(before, unsettled)) {
      return this.#reconsider(taken);
    }
    // Whether it was executed has to be known before the two texts can be compared.
    return this.#next({ ...taken, unsettled }, [keep]);
  }

  /** Who takes up a text has not asked for it to be published, or the like. */
  #doesMore({ record }: EditingState, { id, act, more }: SaveRequest): boolean {
    if (id === null) return false;
    const usual = this.#rules.more?.(record) ?? {};
    return act !== null || Object.keys(more).some((name) => !Object.hasOwn(usual, name));
  }

  #saveAsNew(before: EditingState, account: string): Step {
    if (before.phase.kind !== 'gone') return same(before);
    const fields = [...before.fields].map(([name, { mine }]): [string, FieldState] => [
      name,
      { base: null, synced: null, mine },
    ]);
    return this.#next({
      ...{ ...before, account, id: null, target: 'create', tag: null, record: {}, fields: new Map(fields) },
      ...{
        unsettled: null,
        isStale: false,
        rebase: new Map(),
        issues: [],
        intent: { kind: 'save' },
        isAutosaved: false,
      },
    });
  }
}

const idle = { kind: 'idle' } as const;
const keep: Effect = { kind: 'keep' };
const same = (state: EditingState): Step => ({ state, effects: [] });
/** After so many refusals in a row, there are pauses. */
const mostRounds = 5;
const isGivenUp = ({ phase }: EditingState): boolean => phase.kind === 'sending' && phase.isGivenUp === true;
const hasFocus = (state: EditingState, name: string): boolean => state.focused === name;

/** What was sent of a field. A new record was made of all that was not empty. */
function sentValue({ values, id }: SaveRequest, name: string, mine: unknown): unknown {
  if (Object.hasOwn(values, name)) return values[name];
  return id === null && isEmpty(mine) ? mine : null;
}

const pick = (field: FieldState | undefined) => ({ base: field?.base ?? null, mine: field?.mine ?? null });

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

/** Whether the path of an error (`body[2].author`) leads into a field. */
const isWithin = (path: string, name: string): boolean =>
  path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);

/** What was asked for before and has not begun is not lost by asking for less. */
function strongest(before: Intent | null, asked: Intent): Intent {
  if (before?.kind === 'save-with' && asked.kind === 'save-with')
    return { kind: 'save-with', set: { ...before.set, ...asked.set } };
  if (before?.kind === 'save' && asked.kind === 'save') return before.isAuto === true ? asked : before;
  return before === null || before.kind === 'save' || asked.kind !== 'save' ? asked : before;
}

/** A request of which nobody knows whether it was executed is sent again, unless it was given up: then the record is read. */
const undecided = (state: EditingState, request: SaveRequest): EditingState =>
  isGivenUp(state) ? { ...state, unsettled: null, isStale: state.id !== null } : { ...state, unsettled: request };

/** What is left to do of an intent once its request is on its way. */
const rest = (intent: Intent, state: EditingState): Intent | null => {
  if (state.rebase.size > 0 && intent.kind !== 'save-with') return intent;
  return intent.kind === 'act' ? { ...intent, flushed: true } : null;
};

function send(state: EditingState, request: SaveRequest, effects: readonly Effect[]): Step {
  const number = Math.max(state.number, request.number);
  return {
    state: { ...state, number, phase: { kind: 'sending', request } },
    // It is kept before it is sent: a page that ends meanwhile does not know whether it was executed.
    effects: [...effects.filter((effect) => effect !== keep), keep, { kind: 'send', request }],
  };
}

function read(state: EditingState, id: string, effects: readonly Effect[]): Step {
  const number = state.number + 1;
  return {
    state: { ...state, number, phase: { kind: 'reading', number } },
    effects: [...effects, { kind: 'read', number, id }],
  };
}

function wait(state: EditingState, refusal: Extract<Refusal, { kind: 'offline' | 'busy' }>): Step {
  const attempts = state.attempts + 1;
  const message = refusal.kind === 'busy' ? refusal.message : '';
  return {
    state: { ...state, attempts, trouble: refusal.kind, phase: { kind: 'waiting', why: refusal.kind, message } },
    effects: [keep, { kind: 'wait', attempts }],
  };
}

const failed = (state: EditingState, message: string): Step => ({
  state: { ...state, unsettled: null, intent: null, attempts: 0, rounds: 0, phase: { kind: 'failed', message } },
  effects: [keep],
});

const gone = (state: EditingState, why: 'removed' | 'account'): Step => ({
  state: { ...state, unsettled: null, intent: null, phase: { kind: 'gone', why } },
  effects: [keep],
});
