import 'fake-indexeddb/auto';
import { describe, expect, test } from 'bun:test';
import { RectoError } from '@recto/client';
import { EditingDriver } from './editing-driver.ts';
import { EditingMachine } from './editing-machine.ts';
import type { Loaded, SaveRequest, Values } from './editing-state.ts';
import { indexedStore } from './indexed-store.ts';
import type { CopyPlace, LocalCopy } from './local-copy.ts';
import type { Timers } from './timers.ts';

/** A clock that goes on when a test says so. */
class TestTimers implements Timers {
  #now = 0;
  #waiting: { readonly at: number; readonly run: () => void }[] = [];

  now = (): number => this.#now;

  after = (milliseconds: number, run: () => void): (() => void) => {
    const entry = { at: this.#now + milliseconds, run };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== entry);
    };
  };

  /** Frames are shown when time passes. */
  afterFrame = (run: () => void): (() => void) => this.after(1, run);

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    const due = this.#waiting.filter(({ at }) => at <= this.#now);
    this.#waiting = this.#waiting.filter(({ at }) => at > this.#now);
    for (const { run } of due.toSorted((a, b) => a.at - b.at)) run();
  }
}

const place = { site: 'http://recto.test', account: 'ada', type: 'notes' };
const copyPlace: CopyPlace = { ...place, record: 'a' };
const loaded = (values: Values, tag = 'v1'): Loaded => ({ id: 'a', record: values, tag, target: 'record' });

interface Call {
  readonly request: SaveRequest;
  readonly resolve: (loaded: Loaded) => void;
  readonly reject: (error: unknown) => void;
}

let databases = 0;

function setUp(start: Loaded | null = loaded({ title: 'On paper' }), pause: number | null = null) {
  databases += 1;
  const store = indexedStore(`test-${databases}`);
  const timers = new TestTimers();
  const machine = new EditingMachine({ names: ['title', 'pass'], secrets: new Set(['pass']), session: 's' });
  const calls: Call[] = [];
  const heard: (() => void)[] = [];
  const driver = new EditingDriver({
    ...{ machine, store, place, tab: 'one', timers, secrets: new Set(['pass']) },
    state: start === null ? machine.create({}, 'ada') : machine.open(start, 'ada'),
    service: {
      read: async () => loaded({ title: 'On paper' }),
      send: (request) =>
        new Promise((resolve, reject) => {
          calls.push({ request, resolve, reject });
          for (const hear of heard.splice(0)) hear();
        }),
    },
    title: () => 'A title',
    pause: () => pause,
    onstep: () => {
      for (const hear of heard.splice(0)) hear();
    },
    onsignin: () => undefined,
  });
  /** Resolves when the condition holds, looked at whenever something happens. */
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => heard.push(resolve));
  }
  const type = (value: unknown, name = 'title'): void => driver.dispatch({ kind: 'change', name, value });
  const save = (): void => driver.dispatch({ kind: 'ask', intent: { kind: 'save' } });
  const copies = (): Promise<readonly LocalCopy[]> => store.copiesOfAccount(place);
  return { store, timers, driver, calls, until, type, save, copies };
}

describe('a copy on this machine', () => {
  test('is written within 300 ms of typing, and removed when the service has it', async () => {
    const { timers, driver, calls, until, type, save, copies } = setUp();
    type('On ink');
    timers.pass(300);
    await driver.keepNow();
    const fields = { title: { base: 'On paper', mine: 'On ink' } };
    expect(await copies()).toEqual([{ ...copyPlace, tab: 'one', at: 300, title: 'A title', fields, unsettled: null }]);
    save();
    await until(() => calls.length === 1);
    // Before it was sent: a page that ends now does not know whether it was executed.
    expect((await copies())[0]?.unsettled?.key).toBe('s-1');
    calls[0]?.resolve(loaded({ title: 'On ink' }, 'v2'));
    await until(() => driver.state.phase.kind === 'idle');
    await driver.keepNow();
    expect(await copies()).toEqual([]);
  });

  test('is written at once, and not at each of many keys', async () => {
    const { store, timers, driver, type } = setUp();
    const written: number[] = [];
    store.put = async ({ at }) => void written.push(at);
    for (let key = 0; key < 10; key += 1) {
      type(`On ink ${key}`);
      for (let passed = 0; passed < 30; passed += 1) {
        timers.pass(1);
        // What is due is written now.
        await Promise.resolve();
      }
    }
    timers.pass(100);
    await driver.keepNow();
    expect(written.slice(0, 3)).toEqual([1, 101, 201]);
  });

  test('of a new record follows it to its address', async () => {
    const { driver, calls, until, type, save, copies } = setUp(null);
    type('New');
    save();
    await until(() => calls.length === 1);
    expect((await copies()).map(({ record }) => record)).toEqual(['new']);
    type('Newer');
    calls[0]?.resolve(loaded({ title: 'New' }));
    await until(() => driver.state.phase.kind === 'idle');
    await driver.keepNow();
    expect((await copies()).map(({ record, fields }) => [record, fields.title?.mine])).toEqual([['a', 'Newer']]);
  });

  test('has no secrets', async () => {
    const { driver, calls, until, type, save, copies } = setUp();
    type('correct horse', 'pass');
    type('On ink');
    save();
    await until(() => calls.length === 1);
    await driver.keepNow();
    expect(JSON.stringify(await copies())).not.toContain('correct horse');
    expect((await copies())[0]?.fields).toEqual({ title: { base: 'On paper', mine: 'On ink' } });
  });

  test('that cannot be written is said, and does not hold up saving', async () => {
    const { store, driver, calls, until, type, save } = setUp();
    store.put = () => Promise.reject(new Error('The disk is full.'));
    type('On ink');
    save();
    await until(() => calls.length === 1);
    expect(driver.canKeep).toBe(false);
  });

  test('stays when the record is closed, and goes when it is discarded', async () => {
    const { driver, type, copies } = setUp();
    type('On ink');
    driver.stop();
    await driver.keepNow();
    expect((await copies()).length).toBe(1);
    await driver.forget();
    expect(await copies()).toEqual([]);
  });
});

describe('a key that its control shows', () => {
  test('is a change after the frame, and the last of several counts', () => {
    const { timers, driver, type } = setUp();
    const changes: unknown[] = [];
    for (const text of ['On i', 'On in', 'On ink']) {
      driver.typing.add('title', () => {
        changes.push(text);
        type(text);
      });
    }
    expect(driver.state.fields.get('title')?.mine).toBe('On paper');
    timers.pass(16);
    expect(driver.state.fields.get('title')?.mine).toBe('On ink');
    timers.pass(1000);
    expect(changes).toEqual(['On ink']);
  });

  test('is a change before anything else happens', async () => {
    const { driver, calls, until, type, save } = setUp();
    type('On ink');
    save();
    await until(() => calls.length === 1);
    driver.typing.add('title', () => type('On ink, on paper'));
    // Its answer would replace what nobody has typed since.
    calls[0]?.resolve(loaded({ title: 'On ink' }, 'v2'));
    await until(() => driver.state.phase.kind === 'idle');
    expect(driver.state.fields.get('title')?.mine).toBe('On ink, on paper');
    driver.typing.add('title', () => type('On both'));
    save();
    await until(() => calls.length === 2);
    expect(calls[1]?.request.values).toEqual({ title: 'On both' });
  });

  test('is a change where it counts, though its control reports by itself later', async () => {
    const { timers, driver, calls, until, type, save } = setUp();
    driver.typing.hold(() => type('On ink'));
    timers.pass(1_000);
    expect(driver.state.fields.get('title')?.mine).toBe('On paper');
    save();
    await until(() => calls.length === 1);
    expect(calls[0]?.request.values).toEqual({ title: 'On ink' });
    const release = driver.typing.hold(() => type('On nothing'));
    release();
    await driver.keepNow();
    expect(driver.state.fields.get('title')?.mine).toBe('On ink');
  });

  test('is kept when the page goes away, and when the record is closed', async () => {
    const { driver, type, copies } = setUp();
    driver.typing.add('title', () => type('On ink'));
    await driver.keepNow();
    expect((await copies())[0]?.fields.title?.mine).toBe('On ink');
    driver.typing.add('title', () => type('On both'));
    driver.stop();
    await driver.keepNow();
    expect((await copies())[0]?.fields.title?.mine).toBe('On both');
  });
});

test('a text that another account saves as its own is kept as that account’s', async () => {
  const { store, driver, type } = setUp();
  type('On ink');
  await driver.keepNow();
  driver.dispatch({ kind: 'signed-in', account: 'tom' });
  await driver.keepNow();
  expect((await store.copiesOfAccount({ ...place, account: 'ada' })).length).toBe(1);
  driver.dispatch({ kind: 'save-as-new', account: 'tom' });
  await driver.keepNow();
  expect((await store.copiesOfAccount({ ...place, account: 'ada' })).length).toBe(0);
  expect((await store.copiesOfAccount({ ...place, account: 'tom' })).length).toBe(1);
});

describe('the store', () => {
  const copy = (more: Partial<LocalCopy>): LocalCopy => ({
    ...{ ...copyPlace, tab: 'one', at: 1, title: '', fields: {}, unsettled: null },
    ...more,
  });

  test('finds the copies of one record, the newest first, and nothing of another account, site or type', async () => {
    const { store } = setUp();
    const others = [
      { account: 'tom' },
      { site: 'http://other.test' },
      { type: 'stories' },
      { record: 'b' },
      { record: 'ab' },
    ];
    for (const other of others) await store.put(copy(other));
    await store.put(copy({ tab: 'one', at: 1 }));
    await store.put(copy({ tab: 'two', at: 2 }));
    expect((await store.copiesOf(copyPlace)).map(({ tab }) => tab)).toEqual(['two', 'one']);
    await store.remove(copy({ tab: 'two' }));
    expect((await store.copiesOf(copyPlace)).map(({ tab }) => tab)).toEqual(['one']);
    expect((await store.copiesOfAccount(place)).length).toBe(4);
  });
});

describe('by itself', () => {
  test('a change is sent when typing rests, or has gone on for long', async () => {
    const { timers, driver, calls, until, type } = setUp(undefined, 1000);
    type('a');
    timers.pass(999);
    type('ab');
    timers.pass(999);
    expect(calls.length).toBe(0);
    timers.pass(1);
    await until(() => calls.length === 1);
    expect(calls[0]?.request.values).toEqual({ title: 'ab' });
    calls[0]?.resolve(loaded({ title: 'ab' }, 'v2'));
    await until(() => driver.state.phase.kind === 'idle');
    for (let index = 0; index < 16; index++) {
      type(`abc${index}`);
      timers.pass(500);
    }
    await until(() => calls.length === 2);
  });

  test('a request is sent again after a pause that doubles, or when the connection is back', async () => {
    const { timers, driver, calls, until, type, save } = setUp();
    type('a');
    save();
    await until(() => calls.length === 1);
    calls[0]?.reject(new RectoError(0, { code: 'offline' }));
    await until(() => driver.state.phase.kind === 'waiting');
    timers.pass(1000);
    await until(() => calls.length === 2);
    calls[1]?.reject(new RectoError(503, { code: 'busy' }));
    await until(() => driver.state.phase.kind === 'waiting');
    timers.pass(1999);
    expect(driver.state.phase.kind).toBe('waiting');
    driver.retryNow();
    await until(() => calls.length === 3);
    expect(calls.map(({ request }) => request.key)).toEqual(['s-1', 's-1', 's-1']);
  });
});
