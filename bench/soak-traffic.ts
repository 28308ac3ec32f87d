import type { ChildServer } from './child-server.ts';
import { articleId, text } from './content.ts';
import { signIn } from './recto-server.ts';

/** The type of the records created, changed and deleted under load. */
export const note = {
  name: 'Note',
  singular: 'note',
  plural: 'notes',
  protocols: ['timestampable', 'lockable', 'versionable'],
  fields: [
    { name: 'title', field_type: 'text', required: true, max_length: 100 },
    { name: 'body', field_type: 'text' },
    { name: 'reads', field_type: 'integer', indexed: true },
  ],
  api: { list: { cache: true }, get: { cache: true } },
};

/** A kind of request: its relative frequency, and the statuses it must get. */
interface Kind {
  readonly name: string;
  readonly weight: number;
  readonly statuses: readonly number[];
  readonly send: (number: number) => Promise<number>;
}

export interface TrafficOptions {
  readonly server: ChildServer;
  /** The number of articles and of cached articles. */
  readonly articles: number;
  /** The approximate number of notes. */
  readonly notes: number;
}

const tokenCount = 300;

/** Stands for a missing status. */
const unanswered = 0;
const json = { 'Content-Type': 'application/json' } as const;

function kind(name: string, weight: number, statuses: readonly number[], send: Kind['send']): Kind {
  return { name, weight, statuses, send };
}

/** All kinds of requests, valid and invalid, almost all different; the number of records stays the same. */
export class SoakTraffic {
  readonly #options: TrafficOptions;
  readonly #kinds: readonly Kind[];
  readonly #tokens: string[] = [];
  readonly #notes: string[] = [];
  #admin: Readonly<Record<string, string>> = {};
  #refreshToken = '';
  #sent = 0;
  /** Responses by kind and status. */
  readonly answers = new Map<string, number>();
  unexpected = 0;

  static async open(options: TrafficOptions): Promise<SoakTraffic> {
    const traffic = new SoakTraffic(options);
    await traffic.#prepare();
    return traffic;
  }

  private constructor(options: TrafficOptions) {
    this.#options = options;
    this.#kinds = [...this.#reads(), ...this.#writes(), ...this.#refusals()];
  }

  get sent(): number {
    return this.#sent;
  }

  /** Sends requests from this many clients until the signal is aborted. */
  async run(clients: number, signal: AbortSignal): Promise<void> {
    const total = this.#kinds.reduce((sum, { weight }) => sum + weight, 0);
    const pick = (): Kind | undefined => {
      let place = Math.random() * total;
      return this.#kinds.find(({ weight }) => {
        place -= weight;
        return place < 0;
      });
    };
    const client = async (): Promise<void> => {
      while (!signal.aborted) {
        const kind = pick();
        if (kind !== undefined) await this.#send(kind);
      }
    };
    await Promise.all([...Array.from({ length: clients }, client), this.#refreshing(signal)]);
  }

  async #send({ name, statuses, send }: Kind): Promise<void> {
    this.#sent += 1;
    const status = await send(this.#sent);
    const key = `${name} ${status}`;
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
    if (!statuses.includes(status)) this.unexpected += 1;
  }

  async #prepare(): Promise<void> {
    this.#admin = await signIn(this.#options.server);
    for (let number = 0; number < tokenCount; number += 1) {
      const body = JSON.stringify({ name: `soak ${number}`, role: 'editor' });
      const response = await this.#fetch('/api/v1/admin/api-tokens', { method: 'POST', headers: this.#admin, body });
      this.#tokens.push(((await response.json()) as { token: string }).token);
    }
    const account = JSON.stringify({ email: 'soak@example.com', password: 'a soaking password' });
    const registered = await this.#fetch('/api/v1/auth/register', { method: 'POST', headers: json, body: account });
    this.#refreshToken = ((await registered.json()) as { refresh_token: string }).refresh_token;
    for (let number = 0; number < this.#options.notes; number += 1) await this.#create(number);
  }

  /** A long session needs new access tokens again and again. */
  async #refreshing(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const body = JSON.stringify({ refresh_token: this.#refreshToken });
      const response = await this.#fetch('/api/v1/auth/refresh', { method: 'POST', headers: json, body });
      const tokens = (await response.json()) as { access_token: string; refresh_token: string };
      this.#refreshToken = tokens.refresh_token;
      await this.#status('/api/v1/auth/me', { headers: { Authorization: `Bearer ${tokens.access_token}` } });
      await Bun.sleep(200);
    }
  }

  #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.#options.server.url + path, init);
  }

  async #status(path: string, init: RequestInit = {}): Promise<number> {
    const response = await this.#fetch(path, init);
    await response.arrayBuffer();
    return response.status;
  }

  #article(number: number): string {
    return articleId(number % this.#options.articles);
  }

  #editor(number: number): Readonly<Record<string, string>> {
    return { ...json, Authorization: `Bearer ${this.#tokens[number % tokenCount]}` };
  }

  async #create(number: number): Promise<number> {
    const headers = {
      ...this.#editor(number),
      ...(number % 3 === 0 ? { 'Idempotency-Key': crypto.randomUUID() } : {}),
    };
    const body = JSON.stringify({ title: `Note ${number}`, body: text(number, 20), reads: number % 1000 });
    const response = await this.#fetch('/api/v1/admin/cms/notes', { method: 'POST', headers, body });
    const { id } = (await response.json()) as { id?: string };
    if (id !== undefined) this.#notes.push(id);
    return response.status;
  }

  async #delete(number: number): Promise<number> {
    const id = this.#notes.shift() ?? crypto.randomUUID();
    return this.#status(`/api/v1/admin/cms/notes/${id}`, { method: 'DELETE', headers: this.#editor(number) });
  }

  /** Creates or deletes one, so that their number stays about the same. */
  #createOrDelete(number: number): Promise<number> {
    return this.#notes.length > this.#options.notes ? this.#delete(number) : this.#create(number);
  }

  #update(number: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    // One of the newest: the oldest are about to be deleted.
    const id = this.#notes[this.#notes.length - 1 - (number % Math.min(100, this.#notes.length))] ?? '';
    return this.#status(`/api/v1/admin/cms/notes/${id}`, {
      method: 'PUT',
      headers: { ...this.#editor(number), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** Disconnects before the response, or before the request is complete. */
  async #abort(number: number): Promise<typeof unanswered> {
    if (number % 2 === 0) {
      const leaving = new AbortController();
      const asked = this.#fetch(`/api/v1/cms/articles?search=${text(number, 1)}`, { signal: leaving.signal });
      setTimeout(() => leaving.abort(), Math.random() * 3);
      await asked.then((response) => response.arrayBuffer()).catch(() => undefined);
      return unanswered;
    }
    const { hostname, port } = new URL(this.#options.server.url);
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data: () => undefined } });
    socket.write(
      `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{`,
    );
    await Bun.sleep(1);
    socket.terminate();
    return unanswered;
  }

  #get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    return this.#status(`/api/v1/${path}`, { headers });
  }

  #reads(): readonly Kind[] {
    return [
      kind('cached list', 15, [200], () => this.#get('cms/cached-articles?sort=reads:desc')),
      kind('cached get', 15, [200], (number) => this.#get(`cms/cached-articles/${this.#article(number)}`)),
      kind('cached list, each another', 4, [200], (number) =>
        this.#get(`cms/cached-articles?title=${number}&page_size=${(number % 100) + 1}`),
      ),
      kind('list of notes', 4, [200], (number) => this.#get(`cms/notes?page=${(number % 20) + 1}`)),
      kind('get', 10, [200, 404], (number) => this.#get(`cms/articles/${this.#article(number)}`)),
      kind('get as an editor', 8, [200], (number) =>
        this.#get(`admin/cms/articles/${this.#article(number)}`, this.#editor(number)),
      ),
      kind('filtered list', 4, [200], (number) =>
        this.#get(`cms/articles?reads=${number}&featured=${number % 2 === 0}&sort=${sortOf(number)}`),
      ),
      kind('searched list', 2, [200], (number) => this.#get(`cms/articles?search=${text(number, 2)}&skip_total=true`)),
      kind('list with a long value', 1, [200], (number) =>
        this.#get(`cms/articles?title=${number}${'x'.repeat(number % 6_000)}`),
      ),
      kind('list with relations', 1, [200], (number) =>
        this.#get(`cms/articles?include=author,topics&page=${(number % 50) + 1}`),
      ),
      kind('aborted', 1, [unanswered], (number) => this.#abort(number)),
    ];
  }

  #writes(): readonly Kind[] {
    return [
      kind('create or delete', 6, [201, 204], (number) => this.#createOrDelete(number)),
      kind('update', 4, [200], (number) => this.#update(number, { body: text(number, 20) })),
      kind('update that is rejected', 2, [422], (number) =>
        this.#update(number, { title: '', [`field_${number}`]: 1, reads: 'many' }),
      ),
      kind('update of an old version', 2, [409], (number) =>
        this.#update(number, { body: 'x', lock_version: 1_000_000 + number }),
      ),
      kind('malformed JSON', 1, [400], (number) => this.#update(number, `{"title": ${number}`)),
      kind('body that is no JSON', 0.5, [415], (number) =>
        this.#update(number, `title=${number}`, { 'Content-Type': 'text/plain' }),
      ),
      kind('oversized body', 0.3, [413], (number) => this.#update(number, oversized)),
    ];
  }

  #refusals(): readonly Kind[] {
    const withToken = (token: string) => this.#get('auth/me', { Authorization: `Bearer ${token}` });
    return [
      kind('get of an unknown id', 4, [404], () => this.#get(`cms/articles/${Bun.randomUUIDv7()}`)),
      kind('unknown parameter', 3, [400], (number) => this.#get(`cms/articles?p${number}=1`)),
      kind('unknown path', 3, [404], (number) => this.#get(`cms/articles/${number}/${number}/x`)),
      kind('unknown type', 1, [404], (number) => this.#get(`cms/type-${number}`)),
      kind('bad token', 3, [401], (number) => withToken(`eyJ${number}.${'x'.repeat(number % 500)}.y`)),
      kind('bad API token', 1, [401], (number) => withToken(`recto_${Bun.hash(String(number))}`)),
      kind('no token', 1, [401], () => this.#get('admin/cms/notes')),
      kind('wrong password', 0.2, [401, 429, 503], (number) => this.#signIn(`nobody${number}@example.com`)),
    ];
  }

  #signIn(email: string): Promise<number> {
    const body = JSON.stringify({ email, password: 'wrong password' });
    return this.#status('/api/v1/auth/login', { method: 'POST', headers: json, body });
  }
}

/** Over the default `RECTO_MAX_BODY`. */
const oversized = `{"title":"${'x'.repeat(1_048_576)}"}`;

const sorts = ['reads', 'title', 'rating', 'created_at', 'id'] as const;

/** One of 20 orders by two fields. */
function sortOf(number: number): string {
  const first = number % sorts.length;
  const second = (first + 1 + (Math.floor(number / sorts.length) % (sorts.length - 1))) % sorts.length;
  return `${sorts[first]}:asc,${sorts[second]}:desc`;
}
