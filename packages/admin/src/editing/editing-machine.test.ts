import { describe, expect, test } from 'bun:test';
import { EditingMachine, type EditingRules } from './editing-machine.ts';
import type { EditingEvent, EditingState, Effect, Loaded, SaveRequest, Values } from './editing-state.ts';
import { savingStatus } from './saving-status.ts';

const record = { title: 'On paper', body: 'White.', status: 'draft', lock_version: 1 };
const loaded = (values: Values, tag = 'v1', more: Partial<Loaded> = {}): Loaded => ({
  id: 'a',
  record: { ...record, ...values },
  tag,
  target: 'record',
  ...more,
});

/** A machine, driven step by step. */
class Bench {
  readonly machine: EditingMachine;
  state: EditingState;
  effects: readonly Effect[] = [];

  constructor(rules: Partial<EditingRules> = {}, start: Loaded | null = loaded({})) {
    this.machine = new EditingMachine({ names: ['title', 'body'], session: 's', ...rules });
    this.state = start === null ? this.machine.create({}, 'ada') : this.machine.open(start, 'ada');
  }

  do(event: EditingEvent): this {
    const { state, effects } = this.machine.step(this.state, event);
    this.state = state;
    this.effects = effects;
    return this;
  }

  type = (name: string, value: unknown): this => this.do({ kind: 'change', name, value });
  save = (): this => this.do({ kind: 'ask', intent: { kind: 'save' } });
  answer = (loaded: Loaded): this => this.do({ kind: 'answered', number: this.number, loaded });
  refuse = (refusal: Extract<EditingEvent, { kind: 'refused' }>['refusal']): this =>
    this.do({ kind: 'refused', number: this.number, refusal });

  get number(): number {
    const { phase } = this.state;
    return phase.kind === 'sending' ? phase.request.number : phase.kind === 'reading' ? phase.number : -1;
  }

  get request(): SaveRequest {
    const { phase } = this.state;
    if (phase.kind !== 'sending') throw new Error(`Nothing is sent: ${phase.kind}.`);
    return phase.request;
  }

  get status() {
    return savingStatus(this.machine, this.state);
  }

  shown = (name: string): unknown => this.state.fields.get(name)?.mine;
}

describe('an ordinary save', () => {
  test('sends what was changed, with the tag, and shows what the service made of it', () => {
    const bench = new Bench({ more: ({ lock_version }) => ({ lock_version }) });
    expect(bench.status).toBe('clean');
    expect(bench.type('title', 'On ink ').status).toBe('dirty');
    expect(bench.save().status).toBe('saving');
    expect(bench.request).toMatchObject({
      values: { title: 'On ink ' },
      more: { lock_version: 1 },
      tag: 'v1',
      key: 's-1',
    });
    bench.answer(loaded({ title: 'On ink' }, 'v2'));
    expect([bench.status, bench.shown('title'), bench.state.tag]).toEqual(['clean', 'On ink', 'v2']);
  });

  test('never changes a field that was edited since, nor one that somebody is in', () => {
    const bench = new Bench().type('title', 'a ').type('body', 'b ').do({ kind: 'focus', name: 'body' }).save();
    bench.type('title', 'a more');
    bench.answer(loaded({ title: 'a', body: 'b' }, 'v2'));
    expect([bench.shown('title'), bench.shown('body'), bench.status]).toEqual(['a more', 'b ', 'dirty']);
    expect(bench.machine.dirty(bench.state)).toEqual(['title']);
    expect(bench.do({ kind: 'focus', name: null }).shown('body')).toBe('b');
  });

  test('that was asked for meanwhile is sent next, one at a time', () => {
    const bench = new Bench().type('title', 'a').save().type('title', 'ab').save();
    expect(bench.request.values).toEqual({ title: 'a' });
    bench.answer(loaded({ title: 'a' }, 'v2'));
    expect(bench.request).toMatchObject({ values: { title: 'ab' }, tag: 'v2', key: 's-2' });
  });

  test('sends nothing where nothing was changed, or all was taken back', () => {
    expect(new Bench().save().status).toBe('clean');
    expect(new Bench().type('title', 'x').type('title', 'On paper').save().effects).toEqual([]);
  });

  test('holds back what is no value yet', () => {
    const bench = new Bench({ canSend: (value) => value !== 'half' }).type('title', 'half').type('body', 'b').save();
    expect(bench.request.values).toEqual({ body: 'b' });
    expect(bench.answer(loaded({ body: 'b' }, 'v2')).status).toBe('dirty');
  });
});

describe('a new record', () => {
  test('is created once, of what is not empty', () => {
    const bench = new Bench({}, null).type('title', 'New').save();
    expect(bench.request).toMatchObject({ target: 'create', values: { title: 'New' }, tag: null });
    const { key } = bench.request;
    bench.refuse({ kind: 'offline' }).type('body', 'More').do({ kind: 'retry' });
    expect(bench.request).toMatchObject({ key, values: { title: 'New' } });
    bench.answer(loaded({ title: 'New', body: null }, 'v1', { isReplay: true }));
    expect([bench.state.id, bench.shown('body')]).toEqual(['a', 'More']);
    // The record may have changed since it was created.
    expect(bench.state.phase.kind).toBe('reading');
    bench.answer(loaded({ title: 'New', body: null }, 'v1')).save();
    expect(bench.request).toMatchObject({ target: 'record', values: { body: 'More' }, tag: 'v1' });
  });
});

describe('a change by another', () => {
  test('of another field is merged, and the save goes on', () => {
    const bench = new Bench().type('title', 'Mine').save().refuse({ kind: 'stale' });
    expect(bench.state.phase.kind).toBe('reading');
    bench.answer(loaded({ body: 'Theirs' }, 'v2'));
    expect(bench.shown('body')).toBe('Theirs');
    expect(bench.request).toMatchObject({ values: { title: 'Mine' }, tag: 'v2' });
  });

  test('of the same field waits for a choice', () => {
    const bench = new Bench().type('title', 'Mine').save().refuse({ kind: 'stale' });
    bench.answer(loaded({ title: 'Theirs' }, 'v2'));
    expect([bench.status, bench.machine.conflicts(bench.state)]).toEqual(['conflict', ['title']]);
    expect(bench.save().status).toBe('conflict');
    const kept = new Bench().do({ kind: 'choose', name: 'title', side: 'mine' });
    expect(kept.status).toBe('clean');
    bench.do({ kind: 'choose', name: 'title', side: 'mine' });
    expect(bench.request).toMatchObject({ values: { title: 'Mine' }, tag: 'v2' });
  });

  test('to the same value is no conflict', () => {
    const bench = new Bench().type('title', 'Same').save().refuse({ kind: 'stale' });
    expect(bench.answer(loaded({ title: 'Same' }, 'v2')).status).toBe('clean');
  });

  test('of the field that somebody is in shows when they leave it, or conflicts when they type', () => {
    const inside = () =>
      new Bench()
        .do({ kind: 'focus', name: 'title' })
        .do({ kind: 'changed-elsewhere' })
        .answer(loaded({ title: 'Theirs' }, 'v2'));
    expect(inside().shown('title')).toBe('On paper');
    expect(inside().do({ kind: 'focus', name: null }).shown('title')).toBe('Theirs');
    expect(inside().type('title', 'On paper!').status).toBe('conflict');
    // Another field that is saved meanwhile does not let theirs be forgotten.
    const other = inside()
      .type('body', 'b')
      .save()
      .answer(loaded({ title: 'Theirs', body: 'b' }, 'v3'));
    expect(other.type('title', 'On paper!').status).toBe('conflict');
  });

  test('is not undone by the late answer to a request that was executed before', () => {
    const page = new Bench().type('title', 'Mine').save();
    const { request } = page;
    // The page ends. Another has changed the body when the next one opens, and it is edited further.
    const next = new Bench({}, loaded({ title: 'Mine', body: 'Theirs' }, 'v3'));
    next.do({ kind: 'restore', kept: page.machine.kept(page.state), unsettled: request }).type('body', 'Theirs, too');
    next.answer(loaded({ title: 'Mine', body: 'White.' }, 'v2', { isReplay: true }));
    next.answer(loaded({ title: 'Mine', body: 'Theirs' }, 'v3'));
    expect([next.status, next.shown('body')]).toEqual(['dirty', 'Theirs, too']);
  });
});

describe('a request without an answer', () => {
  test('is sent again as it was, before anything else', () => {
    const bench = new Bench().type('title', 'a').save().refuse({ kind: 'offline' }).type('title', 'ab').save();
    expect(bench.request).toMatchObject({ values: { title: 'a' }, key: 's-1' });
    bench.refuse({ kind: 'busy', message: '' });
    expect(bench.status).toBe('busy');
    expect(bench.effects).toContainEqual({ kind: 'wait', attempts: 2 });
  });

  test('is reported calmly while it is tried again, until an answer comes', () => {
    const bench = new Bench().type('title', 'a').save();
    expect(bench.status).toBe('saving');
    bench.refuse({ kind: 'offline' });
    for (let attempts = 0; attempts < 3; attempts++) {
      expect(bench.do({ kind: 'retry' }).status).toBe('offline');
      expect(bench.save().refuse({ kind: 'offline' }).status).toBe('offline');
    }
    bench.do({ kind: 'retry' }).refuse({ kind: 'busy', message: '' });
    expect(bench.do({ kind: 'retry' }).status).toBe('busy');
    bench.refuse({ kind: 'signed-out' }).do({ kind: 'signed-in', account: 'ada' });
    expect(bench.status).toBe('saving');
    expect(bench.answer(loaded({ title: 'a' }, 'v2')).status).toBe('clean');
  });

  test('that was executed, though nobody knows how, is looked at', () => {
    const bench = new Bench().type('title', 'a').save().refuse({ kind: 'done-before', id: null });
    expect(bench.state.phase.kind).toBe('reading');
    expect(bench.answer(loaded({ title: 'a' }, 'v2')).status).toBe('clean');
  });
});

describe('a refusal', () => {
  test('of values names the fields until they are changed', () => {
    const issues = [{ field: 'title', code: 'too_long', message: 'Too long.' }];
    const bench = new Bench().type('title', 'a').type('body', 'b').save();
    bench.refuse({ kind: 'invalid', message: 'One field is not valid.', issues });
    expect([bench.status, bench.state.issues]).toEqual(['failed', issues]);
    expect(bench.type('body', 'bb').state.issues).toEqual(issues);
    expect(bench.type('title', 'aa').state.issues).toEqual([]);
    expect(bench.save().request.values).toEqual({ title: 'aa', body: 'bb' });
  });

  test('of the session waits for somebody to sign in, and then goes on', () => {
    const bench = new Bench().type('title', 'a').save().refuse({ kind: 'signed-out' }).type('title', 'ab');
    expect(bench.status).toBe('signed-out');
    bench.do({ kind: 'signed-in', account: 'ada' });
    expect(bench.request).toMatchObject({ key: 's-1', values: { title: 'a' } });
  });

  test('after another account has signed in, or the record was removed, keeps the text, which can become a new record', () => {
    const account = new Bench().type('title', 'a').do({ kind: 'signed-in', account: 'tom' });
    expect(account.state.phase).toEqual({ kind: 'gone', why: 'account' });
    const bench = new Bench().type('title', 'a').save().refuse({ kind: 'removed' }).type('title', 'ab').save();
    expect(bench.state.phase).toEqual({ kind: 'gone', why: 'removed' });
    expect(bench.machine.kept(bench.state)).toEqual({ title: { base: 'On paper', mine: 'ab' } });
    bench.do({ kind: 'save-as-new', account: 'ada' });
    expect(bench.request).toMatchObject({ target: 'create', values: { title: 'ab', body: 'White.' } });
  });

  test('of a status is not tried again by itself', () => {
    const bench = new Bench().type('title', 'a');
    bench.do({ kind: 'ask', intent: { kind: 'save-with', set: { status: 'published' } } });
    expect(bench.request).toMatchObject({ values: { title: 'a' }, more: { status: 'published' } });
    bench.refuse({ kind: 'stale' }).answer(loaded({ body: 'Theirs' }, 'v2'));
    expect(bench.request).toMatchObject({ values: { title: 'a' }, more: {} });
  });
});

describe('a draft', () => {
  const draft = (values: Values, tag: string): Loaded => loaded(values, tag, { target: 'draft' });
  const publish = { kind: 'ask', intent: { kind: 'act', act: { name: 'publish' }, flushed: false } } as const;

  test('is saved before it is published', () => {
    const bench = new Bench({}, draft({}, 'v1')).type('title', 'a').do(publish);
    expect(bench.request).toMatchObject({ target: 'draft', values: { title: 'a' }, act: null });
    bench.type('title', 'ab').answer(draft({ title: 'a' }, 'v2'));
    expect(bench.request).toMatchObject({ values: {}, act: { name: 'publish' }, tag: 'v2' });
    bench.answer(draft({ title: 'a' }, 'v3'));
    expect([bench.status, bench.shown('title')]).toEqual(['dirty', 'ab']);
  });

  test('is not published over what another has just drafted', () => {
    const bench = new Bench({}, draft({}, 'v1')).do(publish).refuse({ kind: 'stale' });
    expect(bench.answer(draft({ body: 'Theirs' }, 'v2')).status).toBe('clean');
  });

  test('and its record are brought together by a choice for each field', () => {
    const bench = new Bench({}, draft({ title: 'Draft', body: 'Draft' }, 'v1')).do(publish);
    bench.refuse({ kind: 'draft-conflict', values: { title: 'Record', body: 'Record' } });
    expect([bench.status, bench.machine.conflicts(bench.state)]).toEqual(['conflict', ['title', 'body']]);
    bench.do({ kind: 'choose', name: 'title', side: 'mine' }).do({ kind: 'choose', name: 'body', side: 'theirs' });
    // The draft goes out from the record's value, and then has its own again.
    expect(bench.request.values).toEqual({ title: 'Record' });
    bench.answer(draft({ title: 'Record', body: 'Draft' }, 'v2'));
    expect(bench.request.values).toEqual({ title: 'Draft', body: 'Record' });
    expect(bench.answer(draft({ title: 'Draft', body: 'Record' }, 'v3')).status).toBe('clean');
  });
});

test('secrets are sent, and neither shown afterwards nor kept', () => {
  const bench = new Bench({ names: ['title', 'pass'], secrets: new Set(['pass']) }).type('pass', 'correct horse');
  expect(bench.machine.kept(bench.state)).toEqual({});
  expect(bench.save().request.values).toEqual({ pass: 'correct horse' });
  expect(bench.answer(loaded({}, 'v2')).shown('pass')).toBeNull();
  expect(bench.status).toBe('clean');
});

test('what was typed can be given up', () => {
  const bench = new Bench().type('title', 'a').do({ kind: 'discard' });
  expect([bench.status, bench.shown('title')]).toEqual(['clean', 'On paper']);
});

describe('what is discarded', () => {
  const discard = { kind: 'discard' } as const;
  const publish = { kind: 'ask', intent: { kind: 'act', act: { name: 'publish' }, flushed: false } } as const;

  test('is not sent when the connection is back', () => {
    const bench = new Bench().type('title', 'a').save().refuse({ kind: 'offline' }).do(discard);
    expect(bench.machine.unsettled(bench.state)).toBeNull();
    // It may have been stored all the same.
    expect([bench.state.phase.kind, bench.shown('title')]).toEqual(['reading', 'On paper']);
    expect(bench.answer(loaded({ title: 'a' }, 'v2')).shown('title')).toBe('a');
    expect(bench.status).toBe('clean');
  });

  test('while it is being sent is not sent again', () => {
    const bench = new Bench().type('title', 'a').save().do(discard);
    expect(bench.machine.kept(bench.state)).toEqual({});
    expect(bench.machine.unsettled(bench.state)).toBeNull();
    bench.refuse({ kind: 'offline' }).do({ kind: 'retry' });
    expect(bench.state.phase.kind).toBe('reading');
    expect(bench.answer(loaded({})).status).toBe('clean');
  });

  test('too late is shown as it was stored', () => {
    const bench = new Bench().type('title', 'a').save().do(discard).type('body', 'b');
    bench.answer(loaded({ title: 'a' }, 'v2'));
    expect([bench.shown('title'), bench.shown('body'), bench.status]).toEqual(['a', 'b', 'dirty']);
    expect(bench.save().request.values).toEqual({ body: 'b' });
  });

  test('is not published', () => {
    const bench = new Bench({}, loaded({}, 'v1', { target: 'draft' })).type('title', 'a').do(publish);
    bench
      .refuse({ kind: 'offline' })
      .do(discard)
      .answer(loaded({}, 'v1', { target: 'draft' }));
    expect([bench.status, bench.state.intent]).toEqual(['clean', null]);
  });

  test('of a new record leaves an empty form', () => {
    const bench = new Bench({}, null).type('title', 'a').save().refuse({ kind: 'offline' }).do(discard);
    expect([bench.status, bench.shown('title'), bench.effects]).toEqual(['clean', null, [{ kind: 'keep' }]]);
  });
});

describe('what never ends', () => {
  test('a record that is stale whenever it was read is tried again after pauses', () => {
    const bench = new Bench().type('title', 'a').save();
    for (let rounds = 0; rounds < 5; rounds++) bench.refuse({ kind: 'stale' }).answer(loaded({}, `v${rounds}`));
    bench.refuse({ kind: 'stale' });
    expect([bench.status, bench.effects]).toEqual(['busy', [{ kind: 'keep' }, { kind: 'wait', attempts: 1 }]]);
    bench.do({ kind: 'retry' }).answer(loaded({}, 'v9')).refuse({ kind: 'stale' });
    expect(bench.effects).toContainEqual({ kind: 'wait', attempts: 2 });
    expect(
      bench
        .do({ kind: 'retry' })
        .answer(loaded({}, 'v9'))
        .answer(loaded({ title: 'a' }, 'v10')).status,
    ).toBe('clean');
  });

  test('a session that has always ended is asked about after pauses', () => {
    const bench = new Bench().type('title', 'a').save();
    const signIn = { kind: 'signed-in', account: 'ada' } as const;
    for (let rounds = 0; rounds < 5; rounds++) bench.refuse({ kind: 'signed-out' }).do(signIn);
    bench.refuse({ kind: 'signed-out' }).do(signIn);
    expect([bench.status, bench.effects]).toEqual(['busy', [{ kind: 'keep' }, { kind: 'wait', attempts: 1 }]]);
    expect(bench.do({ kind: 'retry' }).request.values).toEqual({ title: 'a' });
  });

  test('a record without a tag is not read again and again', () => {
    const bench = new Bench({}, loaded({}, 'v1', { tag: null })).type('title', 'a').save();
    expect(bench.answer(loaded({}, 'v1', { tag: null })).status).toBe('failed');
  });
});

test('what was read after a request, such as a revision that was restored, overwrites nothing of another unseen', () => {
  const bench = new Bench().do({ kind: 'ask', intent: { kind: 'act', act: { name: 'restore' }, flushed: false } });
  bench.type('title', 'Mine').answer(loaded({ title: 'Theirs', body: 'Restored' }, 'v3', { isLater: true }));
  expect([bench.status, bench.machine.conflicts(bench.state), bench.shown('body')]).toEqual([
    'conflict',
    ['title'],
    'Restored',
  ]);
});

test('a text that is taken up is not published by that', () => {
  const set = { kind: 'ask', intent: { kind: 'save-with', set: { status: 'published' } } } as const;
  for (const start of [new Bench().do(set), new Bench().type('title', 'a').do(set)]) {
    const { request } = start;
    const page = new Bench().do({ kind: 'restore', kept: start.machine.kept(start.state), unsettled: request });
    expect(['clean', 'dirty']).toContain(page.status);
    expect(page.effects).toEqual([{ kind: 'keep' }]);
  }
});

test('two things that are asked for while a third is on its way are both done', () => {
  const set = (values: Values) => ({ kind: 'ask', intent: { kind: 'save-with', set: values } }) as const;
  const bench = new Bench()
    .type('title', 'a')
    .save()
    .do(set({ status: 'archived' }))
    .do(set({ scheduled_at: null }));
  expect(bench.answer(loaded({ title: 'a' }, 'v2')).request.more).toEqual({ status: 'archived', scheduled_at: null });
});
