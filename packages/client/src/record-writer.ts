import { type ChangeOptions, type CreateOptions, RecordReader } from './collection.ts';
import { Tags } from './tags.ts';
import type { Transport } from './transport.ts';

/** Create, update and delete, with `Idempotency-Key` and `If-Match`. Types are in the interfaces of `createClient`. */
export class RecordWriter extends RecordReader {
  protected readonly tags = new Tags();
  readonly #simple: boolean;

  /** With `simple`, writes have the addresses of the simple mode: `POST …/create`, `…/{id}/update`, `…/{id}/delete`. */
  constructor(transport: Transport, path: string, simple = false) {
    super(transport, path);
    this.#simple = simple;
  }

  protected override kept(path: string, headers: Headers): void {
    this.tags.keep(path, headers);
  }

  async create(data: object, options: CreateOptions = {}): Promise<object> {
    const { body, headers } = await this.transport.send<{ readonly id?: string }>(
      'POST',
      this.#simple ? `${this.path}/create` : this.path,
      {
        ...options,
        body: data,
        headers: { 'Idempotency-Key': key(options) },
      },
    );
    if (body?.id !== undefined) this.tags.keep(this.of(body.id), headers);
    return body;
  }

  /** `update(id, changes)`; of a single type `update(changes)`. */
  async update(...given: readonly unknown[]): Promise<object> {
    const [id, changes, options] = typeof given[0] === 'string' ? given : [undefined, ...given];
    // The interfaces allow these two forms alone.
    return await this.change('PUT', this.of(id as string | undefined), changes, options as ChangeOptions | undefined);
  }

  async delete(id: string, options: ChangeOptions = {}): Promise<void> {
    const path = this.of(id);
    const [method, address] = this.#simple ? ['POST', `${path}/delete`] : ['DELETE', path];
    await this.transport.send(method, address, { ...options, ...this.#condition(path, options) });
    this.tags.forget(path);
  }

  protected async change(method: string, path: string, body: unknown, options: ChangeOptions = {}): Promise<object> {
    const [sentBy, address] = this.#simple ? ['POST', `${path}/update`] : [method, path];
    const response = await this.transport.send<object>(sentBy, address, {
      ...options,
      ...this.#condition(path, options),
      body,
    });
    if (options.query === undefined) this.tags.keep(path, response.headers);
    return response.body;
  }

  /** A request that does something to a record, once. */
  protected async act<Body>(path: string, body: unknown, options: CreateOptions = {}): Promise<Body> {
    return await this.transport.json<Body>('POST', path, {
      ...options,
      body,
      headers: { 'Idempotency-Key': key(options) },
    });
  }

  #condition(path: string, { if_match, query }: ChangeOptions): { headers?: Record<string, string> } {
    const tag = if_match ?? (query === undefined ? this.tags.get(path) : undefined);
    return typeof tag === 'string' ? { headers: { 'If-Match': tag } } : {};
  }
}

const key = ({ idempotency_key = crypto.randomUUID() }: CreateOptions): string => idempotency_key;
