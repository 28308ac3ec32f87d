import type { App } from '../../packages/recto/src/http/app.ts';

/** A server-sent event. */
export interface Received {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and a wrong path fails the test.
  readonly data: any;
}

/** A client of a stream, which reads what arrives. */
export class EventSource implements AsyncDisposable {
  readonly status: number;
  readonly events: Received[] = [];
  /** The last id, also one without an event. */
  lastId = '';
  /** All that have arrived, in their order. */
  readonly ids: string[] = [];
  isOpen = true;
  /** How many signs of life have arrived. */
  pings = 0;
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>;
  readonly #reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'> | undefined;
  #waiting: (() => void)[] = [];
  #opened = Promise.withResolvers<void>();

  static async open(app: App, path: string, headers: Readonly<Record<string, string>> = {}): Promise<EventSource> {
    return EventSource.of(await app.fetch(new Request(`http://recto.test${path}`, { headers })));
  }

  /** Of a response; resolves when the stream has begun. */
  static async of(response: Response): Promise<EventSource> {
    const source = new EventSource(response);
    if (source.status === 200) await source.#opened.promise;
    return source;
  }

  private constructor(response: Response) {
    this.status = response.status;
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    this.#reader = isStream ? response.body?.getReader() : undefined;
    this.ended = this.#read().finally(() => {
      this.isOpen = false;
      this.#opened.resolve();
      this.#wake();
    });
  }

  async #read(): Promise<void> {
    if (this.#reader === undefined) return;
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done, value } = await this.#reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || value === undefined) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block);
      this.#opened.resolve();
      this.#wake();
    }
  }

  #take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    const id = fields.get('id');
    if (id !== undefined) this.ids.push(id);
    this.lastId = id ?? this.lastId;
    const data = fields.get('data');
    if (fields.get('event') === 'ping') this.pings += 1;
    if (data === undefined || fields.get('event') === 'ping') return;
    this.events.push({ id: this.lastId, event: fields.get('event') ?? 'message', data: JSON.parse(data) });
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when what has arrived is enough; rejects when the stream ends before. */
  async until(isEnough: (events: readonly Received[]) => boolean): Promise<readonly Received[]> {
    while (!isEnough(this.events)) {
      if (!this.isOpen) throw new Error(`The stream has ended with ${JSON.stringify(this.events)}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.events;
  }

  /** `event` and id of the record, of all events so far. */
  get heard(): readonly string[] {
    return this.events.map(({ event, data }) => `${event} ${data.id ?? ''}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader?.cancel().catch(() => undefined);
    await this.ended;
  }
}
