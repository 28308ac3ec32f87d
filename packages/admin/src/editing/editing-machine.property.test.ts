import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { EditingMachine } from './editing-machine.ts';
import type { EditingEvent, EditingState, Effect, KeptFields, Loaded, SaveRequest, Values } from './editing-state.ts';

const names = ['title', 'body', 'code'] as const;
type Name = (typeof names)[number];

type Outcome = Loaded | 'stale' | 'signed-out';

/** One record, in a service that executes each key once and stores `code` in another spelling. */
class ModelService {
  values: Record<Name, string> = { title: '', body: '', code: '' };
  version = 1;
  signedIn = true;
  /** Whether somebody has seen a letter and removed it. */
  mayDrop: (letter: string) => boolean = () => false;
  /** Everything that anybody has written of a field, and who. */
  readonly written: { readonly by: string; readonly name: Name; readonly value: string }[] = [];
  readonly #answers = new Map<string, Loaded>();

  read(): Loaded {
    return { id: 'a', record: { ...this.values }, tag: `v${this.version}`, target: 'record' };
  }

  execute({ key, tag, values }: SaveRequest, based: Values): Outcome {
    if (!this.signedIn) return 'signed-out';
    const before = this.#answers.get(key);
    if (before !== undefined) return { ...before, isReplay: true };
    if (tag !== `v${this.version}`) return 'stale';
    for (const name of names) {
      if (!Object.hasOwn(values, name)) continue;
      // What is overwritten is what the writer has gone out from, and nothing of it is missing that they have not seen.
      expect(this.values[name]).toBe(String(based[name]));
      for (const letter of this.values[name]) {
        if (!String(values[name]).includes(letter)) expect(this.mayDrop(letter)).toBe(true);
      }
      this.write(key.slice(0, key.lastIndexOf('-')), name, String(values[name]));
    }
    this.#answers.set(key, this.read());
    return this.read();
  }

  write(by: string, name: Name, value: string): void {
    this.values[name] = name === 'code' ? stored(value) : value;
    this.version += 1;
    this.written.push({ by, name, value: this.values[name] });
  }
}

type Message =
  | { readonly kind: 'save'; readonly request: SaveRequest; readonly based: Values; outcome?: Outcome }
  | { readonly kind: 'read'; readonly number: number; outcome?: Outcome };

/** How the service spells `code`. Nothing else that is typed has spaces. */
const stored = (text: string): string => text.replaceAll(' ', '');

const textIn = (state: EditingState, name: string): string => String(state.fields.get(name)?.mine ?? '');

/** One tab: a machine, what it has kept on this computer, and its requests that are on their way. */
class Tab {
  #machine: EditingMachine;
  state: EditingState;
  messages: Message[] = [];
  kept: { readonly fields: KeptFields; readonly unsettled: SaveRequest | null } = { fields: {}, unsettled: null };
  /** Characters that were given up by a choice. */
  readonly givenUp = new Set<string>();
  readonly #service: ModelService;
  readonly #name: string;
  readonly #late: Message[] = [];
  #pages = 0;

  constructor(service: ModelService, name: string) {
    this.#service = service;
    this.#name = name;
    this.#machine = this.#newMachine();
    this.state = this.#machine.open(service.read(), 'ada');
  }

  #newMachine(): EditingMachine {
    this.#pages += 1;
    return new EditingMachine({ names, session: `${this.#name}${this.#pages}` });
  }

  text(name: string): string {
    return textIn(this.state, name);
  }

  dirty = (): readonly string[] => this.#machine.dirty(this.state);
  conflicts = (): readonly string[] => this.#machine.conflicts(this.state);

  step(event: EditingEvent): void {
    const before = this.state;
    const dirty = this.dirty();
    const { state, effects } = this.#machine.step(before, event);
    this.state = state;
    const mayReplace = event.kind === 'restore' || event.kind === 'discard';
    for (const name of dirty) {
      const isAbout = (event.kind === 'change' || event.kind === 'choose') && event.name === name;
      // Once it is stored, a field shows what the service made of it.
      if (!mayReplace && !isAbout) expect(stored(this.text(name))).toBe(stored(textIn(before, name)));
    }
    if (before.focused !== null && event.kind !== 'focus' && event.kind !== 'change' && event.kind !== 'choose') {
      if (!mayReplace) expect(state.fields.get(before.focused)?.mine).toBe(before.fields.get(before.focused)?.mine);
    }
    const shown = state.phase.kind === 'conflict' ? this.conflicts() : [];
    for (const name of shown) this.#expectRealConflict(name);
    for (const effect of effects) this.#run(effect, before);
  }

  /** Somebody else has written what is shown as theirs. */
  #expectRealConflict(name: string): void {
    const theirs = this.state.fields.get(name)?.theirs?.value;
    const by = this.#service.written.filter((one) => one.name === name && one.value === theirs).map((one) => one.by);
    expect(by.some((one) => !one.startsWith(this.#name))).toBe(true);
  }

  #run(effect: Effect, before: EditingState): void {
    switch (effect.kind) {
      case 'send':
        expect(before.phase.kind === 'sending' && this.state.number === before.number).toBe(false);
        this.messages.push({
          kind: 'save',
          request: effect.request,
          based: Object.fromEntries([...this.state.fields].map(([name, { base }]) => [name, base])),
        });
        break;
      case 'read':
        this.messages.push({ kind: 'read', number: effect.number });
        break;
      case 'keep':
        this.kept = { fields: this.#machine.kept(this.state), unsettled: this.#machine.unsettled(this.state) };
        break;
      case 'wait':
      case 'sign-in':
        break;
    }
  }

  /** A request reaches the service. It may do so more than once. */
  arrive(index: number): void {
    const message = this.messages[index % Math.max(1, this.messages.length)];
    if (message === undefined) return;
    message.outcome =
      message.kind === 'save'
        ? this.#service.execute(message.request, message.based)
        : this.#service.signedIn
          ? this.#service.read()
          : 'signed-out';
  }

  /** An answer reaches the page, in any order; without one, the connection breaks. */
  answer(index: number, refusal: 'offline' | 'busy'): void {
    const message = this.messages[index % Math.max(1, this.messages.length)];
    if (message === undefined) return;
    this.messages = this.messages.filter((one) => one !== message);
    const number = message.kind === 'save' ? message.request.number : message.number;
    const { outcome } = message;
    if (outcome === undefined) this.step({ kind: 'refused', number, refusal: { kind: refusal, message: '' } });
    else if (typeof outcome === 'string') this.step({ kind: 'refused', number, refusal: { kind: outcome } });
    else this.step({ kind: 'answered', number, loaded: outcome });
  }

  /** The connection breaks, or the page no longer waits: then the request and its answer may still arrive. */
  lose(index: number, arrivesLate: boolean): void {
    const message = this.messages[index % Math.max(1, this.messages.length)];
    if (message === undefined) return;
    if (!arrivesLate) this.messages = this.messages.filter((one) => one !== message);
    const number = message.kind === 'save' ? message.request.number : message.number;
    this.step({ kind: 'refused', number, refusal: { kind: 'offline' } });
  }

  /** A request of a page that has ended reaches the service. */
  late(): void {
    const message = this.#late.shift();
    if (message?.kind === 'save') this.#service.execute(message.request, message.based);
  }

  choose(name: Name, side: 'mine' | 'theirs'): void {
    const field = this.state.fields.get(name);
    if (field?.theirs === undefined || this.state.phase.kind !== 'conflict') return;
    if (!this.conflicts().includes(name)) return;
    const [stays, goes] = side === 'mine' ? [field.mine, field.theirs.value] : [field.theirs.value, field.mine];
    for (const letter of String(goes)) if (!String(stays).includes(letter)) this.givenUp.add(letter);
    this.step({ kind: 'choose', name, side });
  }

  /** The page ends, and another one opens the record and takes up what was kept. Requests of the former may still arrive. */
  restart(): void {
    const { fields, unsettled } = this.kept;
    this.#late.push(...this.messages);
    this.messages = [];
    this.#machine = this.#newMachine();
    this.state = this.#machine.open(this.#service.read(), 'ada');
    // The page shows a copy where it differs, or where a request is open.
    if (Object.keys(fields).length > 0 || unsettled !== null) this.step({ kind: 'restore', kept: fields, unsettled });
  }
}

const operation = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('type' as const), tab: fc.nat(1), name: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('space' as const), tab: fc.nat(1) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('focus' as const), tab: fc.nat(1), name: fc.nat(3) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('save' as const), tab: fc.nat(1) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('arrive' as const), tab: fc.nat(1), at: fc.nat(3) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('answer' as const), tab: fc.nat(1), at: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lose' as const), tab: fc.nat(1), at: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('retry' as const), tab: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('other' as const), name: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('agree' as const), tab: fc.nat(1), name: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('elsewhere' as const), tab: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sign-out' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sign-in' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo' as const), tab: fc.nat(1), name: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const), tab: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('late' as const), tab: fc.nat(1) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('choose' as const), tab: fc.nat(1), name: fc.nat(2), mine: fc.boolean() }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

class World {
  readonly service = new ModelService();
  readonly tabs = [new Tab(this.service, 'x'), new Tab(this.service, 'y')] as const;
  /** Where each letter was typed. All letters are different. */
  readonly typed: { readonly letter: string; readonly name: Name }[] = [];
  #letters = 0x4e00;

  constructor() {
    this.service.mayDrop = (letter) => this.tabs.some((tab) => tab.givenUp.has(letter));
  }

  #letter(): string {
    this.#letters += 1;
    return String.fromCodePoint(this.#letters);
  }

  #type(tab: Tab, name: Name): void {
    const letter = this.#letter();
    this.typed.push({ letter, name });
    tab.step({ kind: 'change', name, value: tab.text(name) + letter });
  }

  do(operation: Operation): unknown {
    const tab = 'tab' in operation && operation.tab === 1 ? this.tabs[1] : this.tabs[0];
    const name = names['name' in operation ? operation.name % names.length : 0] ?? 'title';
    switch (operation.kind) {
      case 'type':
        return this.#type(tab, name);
      case 'undo': {
        // What was typed last is taken back: those letters are given up.
        const base = String(tab.state.fields.get(name)?.base ?? '');
        for (const letter of tab.text(name)) if (!base.includes(letter)) tab.givenUp.add(letter);
        return tab.step({ kind: 'change', name, value: base });
      }
      case 'space':
        return tab.step({ kind: 'change', name: 'code', value: `${tab.text('code')} ` });
      case 'focus':
        return tab.step({ kind: 'focus', name: operation.name < names.length ? name : null });
      case 'save':
        return tab.step({ kind: 'ask', intent: { kind: 'save' } });
      case 'arrive':
        return tab.arrive(operation.at);
      case 'answer':
        return tab.answer(operation.at, operation.at % 2 === 0 ? 'offline' : 'busy');
      case 'lose':
        return tab.lose(operation.at, operation.at % 2 === 0);
      case 'late':
        return tab.late();
      case 'retry':
        return tab.step({ kind: 'retry' });
      case 'other':
        return this.service.write('person', name, this.service.values[name] + this.#letter());
      case 'agree':
        // Somebody else writes the same: not a conflict. They have seen what they write over.
        if (tab.text(name).startsWith(this.service.values[name])) this.service.write('person', name, tab.text(name));
        return undefined;
      case 'elsewhere':
        return tab.step({ kind: 'changed-elsewhere' });
      case 'sign-out':
        this.service.signedIn = false;
        return undefined;
      case 'sign-in':
        return this.signIn();
      case 'restart':
        return tab.restart();
      case 'choose':
        return tab.choose(name, operation.mine ? 'mine' : 'theirs');
    }
  }

  signIn(): void {
    this.service.signedIn = true;
    for (const tab of this.tabs) tab.step({ kind: 'signed-in', account: 'ada' });
  }

  /** Everything works again, and people go on until both tabs have saved. */
  settle(mine: boolean): void {
    this.signIn();
    for (const tab of this.tabs) tab.step({ kind: 'focus', name: null });
    for (let rounds = 0; rounds < 60; rounds++) {
      for (const tab of this.tabs) {
        tab.step({ kind: 'retry' });
        tab.step({ kind: 'ask', intent: { kind: 'save' } });
        for (const name of names) tab.choose(name, mine ? 'mine' : 'theirs');
        tab.arrive(0);
        tab.answer(0, 'offline');
        // The last rounds only finish.
        if (rounds % 8 === 7 && rounds < 50) tab.step({ kind: 'changed-elsewhere' });
      }
    }
  }
}

test('nothing that was typed is lost, nothing is overwritten unseen, and no conflict is false', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 150, size: 'max' }), fc.boolean(), (operations, mine) => {
      const world = new World();
      for (const one of operations) world.do(one);
      world.settle(mine);
      for (const tab of world.tabs) {
        expect(tab.state.phase.kind).toBe('idle');
        expect([tab.dirty(), tab.conflicts(), tab.kept]).toEqual([[], [], { fields: {}, unsettled: null }]);
        for (const name of names) expect(tab.text(name)).toBe(world.service.values[name]);
      }
      const givenUp = new Set(world.tabs.flatMap((tab) => [...tab.givenUp]));
      for (const { letter, name } of world.typed) {
        if (!givenUp.has(letter)) expect(world.service.values[name]).toContain(letter);
      }
    }),
    { numRuns: Number(process.env.RECTO_EDITING_RUNS ?? randomCases(300)), includeErrorInReport: true },
  );
});
