import { expect } from 'bun:test';
import { becomes } from '../database/database.ts';
import { hangsAfterMs } from '../hangs-after.ts';
import { Latencies, type Machines } from './machines.ts';
import { ask, RawClient } from './worker-load.ts';

/** The type that clients write to; public, its lists and records cached. */
export const entryType = `
singular = "entry"
plural = "entries"
[[fields]]
name = "title"
field_type = "text"
required = true
[[fields]]
name = "count"
field_type = "integer"
[api.list]
cache = true
[api.get]
cache = true
[api.create]
access = "public"
[api.update]
access = "public"
`;
const path = '/api/v1/cms/entries';

/** How many writes are acknowledged before anything is said of them. */
const enough = 30;

/** A record that one client alone writes: it counts. */
interface Counter {
  readonly id: string;
  /** The number that was acknowledged last, and all that was sent after it and may be stored. */
  acknowledged: number;
  sent: number;
}

/**
 * Clients that write to several machines while failures happen, and the answers they got. Nothing is sent twice. A request
 * may be rejected with 503, or lose its connection; any other answer but success is noted as odd.
 */
export class WriteLedger {
  /** The titles that were answered with 201. */
  readonly acknowledged: string[] = [];
  /** Those that were sent and not acknowledged: they may be stored, once. */
  readonly uncertain: string[] = [];
  /** Answers that no fault excuses, and what was read that had not been so any more. */
  readonly odd: string[] = [];
  /** For how long after the answer to a write another machine returned the old value. */
  readonly latencies = new Latencies();
  readonly #machines: Machines;
  readonly #name: string;
  readonly #counters: Counter[] = [];
  #going = true;

  /** `name` distinguishes its records from those of others. */
  constructor(machines: Machines, name: string) {
    this.#machines = machines;
    this.#name = name;
  }

  /** Writes and reads from `clients` clients until `faults` is done. */
  async during(faults: () => Promise<void>, clients = 6): Promise<void> {
    const running = Array.from({ length: clients }, (_, number) => this.#client(number));
    try {
      await faults();
      const deadline = performance.now() + hangsAfterMs;
      // A machine without time for them is no failure.
      while (this.acknowledged.length < enough && performance.now() < deadline) await Bun.sleep(50);
    } finally {
      this.#going = false;
    }
    await Promise.all(running);
  }

  /** Resolves when every machine takes writes again. */
  async recovered(): Promise<void> {
    for (const { url } of this.#machines.all) {
      const deadline = performance.now() + hangsAfterMs;
      for (;;) {
        const title = `${this.#name} again ${crypto.randomUUID()}`;
        if ((await this.#create(new RawClient(url), title)) === 'done') break;
        if (performance.now() > deadline) throw new Error(`${url} does not take writes again.`);
        await Bun.sleep(20);
      }
    }
  }

  /** Every acknowledged write is there, once, on every machine, and nothing that was not sent. */
  async check(): Promise<void> {
    expect(this.odd).toEqual([]);
    expect(this.acknowledged.length).toBeGreaterThanOrEqual(enough);
    const sent = new Set([...this.acknowledged, ...this.uncertain]);
    for (const { url } of this.#machines.all) {
      // A machine may have remembered what another has changed since; soon it has not.
      const faults = async () => {
        const titles = (await this.#stored(url)).filter((title) => title.startsWith(`${this.#name} `));
        const stored = new Set(titles);
        return {
          doubled: titles.length - stored.size,
          lost: this.acknowledged.filter((title) => !stored.has(title)),
          neverSent: titles.filter((title) => !sent.has(title)),
        };
      };
      await becomes(faults, { doubled: 0, lost: [], neverSent: [] });
      for (const { id, acknowledged, sent: last } of this.#counters) {
        const count = async (): Promise<number> => (await ask(url, `GET ${path}/${id}`)).json.count;
        await becomes(async () => (await count()) >= acknowledged, true);
        expect(await count()).toBeWithin(acknowledged, last + 1);
      }
    }
    process.stdout.write(
      `  ${this.#name}: ${this.acknowledged.length} acknowledged, ${this.uncertain.length} not; stale ${this.latencies}\n`,
    );
  }

  async #client(number: number): Promise<void> {
    const connections = this.#machines.all.map(({ url }) => new RawClient(url));
    const at = (index: number): RawClient => connections[index % connections.length] ?? new RawClient('');
    let counter: Counter | undefined;
    for (let turn = 0; this.#going; turn += 1) {
      const title = `${this.#name} ${number} ${turn}`;
      const made = await this.#create(at(number + turn), title);
      counter ??= await this.#counter(at(number), `${this.#name} counter ${number}`);
      const counted = counter === undefined ? 'not' : await this.#count(at(turn), counter);
      if (counter !== undefined && counted === 'done') await this.#see(turn, counter, at(turn), at(turn + 1));
      if (made === 'not' || counted === 'not') await Bun.sleep(20);
    }
    for (const connection of connections) connection[Symbol.dispose]();
  }

  async #create(client: RawClient, title: string): Promise<'done' | 'not'> {
    const outcome = await client.send(`POST ${path}`, {}, JSON.stringify({ title }));
    const created = outcome.kind === 'answered' && outcome.status === 201;
    (created ? this.acknowledged : this.uncertain).push(title);
    if (outcome.kind === 'answered' && !created) this.#refused('POST', outcome);
    return created ? 'done' : 'not';
  }

  async #counter(client: RawClient, title: string): Promise<Counter | undefined> {
    const outcome = await client.send(`POST ${path}`, {}, JSON.stringify({ title, count: 0 }));
    if (outcome.kind !== 'answered' || outcome.status !== 201) {
      this.uncertain.push(title);
      return undefined;
    }
    this.acknowledged.push(title);
    const counter = { id: JSON.parse(outcome.body).id, acknowledged: 0, sent: 0 };
    this.#counters.push(counter);
    return counter;
  }

  async #count(client: RawClient, counter: Counter): Promise<'done' | 'not'> {
    counter.sent += 1;
    const { sent } = counter;
    const outcome = await client.send(`PUT ${path}/${counter.id}`, {}, JSON.stringify({ count: sent }));
    if (outcome.kind !== 'answered') return 'not';
    if (outcome.status !== 200) return this.#refused('PUT', outcome);
    counter.acknowledged = sent;
    return 'done';
  }

  /** What was acknowledged is read at once on the machine that did it, by any of its workers, and soon on the other one. */
  async #see(turn: number, counter: Counter, here: RawClient, there: RawClient): Promise<void> {
    const answered = performance.now();
    using fresh = new RawClient(this.#machines.at(turn).url);
    for (const client of [here, fresh]) {
      const count = await this.#read(client, counter);
      if (count !== undefined && count !== counter.acknowledged) {
        this.odd.push(`${count} was read after ${counter.acknowledged} had been acknowledged`);
      }
    }
    for (let stale = 0; ; ) {
      const looked = performance.now();
      const count = await this.#read(there, counter);
      if (count !== undefined && count !== counter.acknowledged) {
        stale = looked - answered;
      } else if (count !== undefined || !this.#going) {
        this.latencies.add(stale);
        return;
      }
      if (looked - answered > hangsAfterMs && stale > 0) {
        this.odd.push(`${count} was still read ${looked - answered} ms after ${counter.acknowledged}`);
        return;
      }
      if (count === undefined) await Bun.sleep(20);
    }
  }

  async #read(client: RawClient, { id }: Counter): Promise<number | undefined> {
    const outcome = await client.send(`GET ${path}/${id}`);
    if (outcome.kind !== 'answered') return undefined;
    if (outcome.status === 200) return JSON.parse(outcome.body).count;
    this.#refused('GET', outcome);
    return undefined;
  }

  #refused(line: string, { status, body }: { readonly status: number; readonly body: string }): 'not' {
    if (status !== 503) this.odd.push(`${line}: ${status} ${body}`);
    return 'not';
  }

  async #stored(url: string): Promise<readonly string[]> {
    const titles: string[] = [];
    for (let page = 1; ; page += 1) {
      const { json } = await ask(url, `GET ${path}?page=${page}&page_size=100&skip_total=true`);
      titles.push(...json.items.map(({ title }: { readonly title: string }) => title));
      if (json.items.length < 100) return titles;
    }
  }
}
