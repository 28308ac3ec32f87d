import { addressOf, type ChangeOptions, type CreateOptions, recordReader } from './collection.ts';
import type { Tags } from './tags.ts';
import { type RequestOptions, readJson, type Send } from './transport.ts';

/** A UUID of version 4. `crypto.randomUUID` is missing on pages without TLS. */
const uuid = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte, at) =>
      (at === 6 ? (byte & 15) | 64 : at === 8 ? (byte & 63) | 128 : byte).toString(16).padStart(2, '0'),
    )
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/**
 * Reading, and create, update and delete, with `Idempotency-Key` and `If-Match`. Types are in the interfaces of `createClient`. With
 * `simple`, writes have the addresses of the simple mode: `POST …/create`, `…/{id}/update`, `…/{id}/delete`.
 */
export function recordWriter(send: Send, tags: Tags, path: string, simple = false) {
  const of = (id?: string, more?: string): string => addressOf(path, id, more);

  /** The method and the address of a change. */
  const by = (method: string, address: string, name: string): readonly [string, string] =>
    simple ? ['POST', `${address}/${name}`] : [method, address];

  /** The request that changes a record, if it is as it was read. */
  const changing = (address: string, options: ChangeOptions, body?: unknown): RequestOptions => {
    const { if_match = options.query === undefined && tags.get(address) } = options;
    return { ...options, body, headers: { 'If-Match': if_match || undefined } };
  };

  function change(id: string | undefined, body: unknown, options: ChangeOptions = {}): Promise<object> {
    const address = of(id);
    return send(...by('PUT', address, 'update'), changing(address, options, body), async (response) => {
      if (options.query === undefined) tags.keep(address, response.headers);
      // The route returns the record.
      return (await readJson(response)) as object;
    });
  }

  /** A request that does something once. */
  const act = <Body>(
    address: string,
    body: unknown,
    { idempotency_key = uuid(), ...options }: CreateOptions = {},
    read?: (response: Response) => Promise<Body>,
  ): Promise<Body> =>
    send('POST', address, { ...options, body, headers: { 'Idempotency-Key': idempotency_key } }, read);

  return {
    calls: {
      ...recordReader(send, path, tags.keep),
      create: (data: object, options?: CreateOptions): Promise<object> =>
        act(by('', path, 'create')[1], data, options, async (response) => {
          // The route returns the record.
          const made = (await readJson(response)) as { readonly id?: string };
          if (made?.id !== undefined) tags.keep(of(made.id), response.headers);
          return made;
        }),
      /** `update(id, changes)`; of a single type `update(changes)`. */
      update: (...given: readonly unknown[]): Promise<object> => {
        const [id, changes, options] = typeof given[0] === 'string' ? given : [undefined, ...given];
        // The interfaces allow these two forms alone.
        return change(id as string | undefined, changes, options as ChangeOptions | undefined);
      },
      async delete(id: string, options: ChangeOptions = {}): Promise<void> {
        const address = of(id);
        await send(...by('DELETE', address, 'delete'), changing(address, options));
        tags.keep(address);
      },
    },
    of,
    change,
    act,
  };
}
