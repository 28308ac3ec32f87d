import { addressOf, type ChangeOptions, type CreateOptions, recordReader } from './collection.ts';
import type { Tags } from './tags.ts';
import { readJson, type Send } from './transport.ts';

/** A UUID of version 4. `crypto.randomUUID` is missing on pages without TLS. */
const uuid = (): string =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    // Each 0 and 1 becomes any digit, and 8 one of 8 to b.
    (+digit ^ ((crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) & (15 >> (+digit / 4)))).toString(16),
  );

/**
 * Reading, and create, update and delete, with `Idempotency-Key` and `If-Match`. Types are in the interfaces of `createClient`. With
 * `simple`, writes have the addresses of the simple mode: `POST …/create`, `…/{id}/update`, `…/{id}/delete`.
 */
export function recordWriter(send: Send, tags: Tags, path: string, simple = false) {
  const of = (id?: string, more?: string): string => addressOf(path, id, more);

  /** A request that changes a record, if it is as it was read. */
  const change =
    (method: string, name: string) =>
    <Result>(id: string | undefined, body: unknown, options: ChangeOptions = {}): Promise<Result> => {
      const address = of(id);
      // The tag of a draft is another one. A sitting changes the record itself.
      const { language, query } = options;
      const isWhole = !language && (!query || 'autosave' in query);
      const { if_match = isWhole && tags.get(address) } = options;
      const sent = {
        ...options,
        ...(language && { query: { ...query, language } }),
        body,
        headers: { 'If-Match': if_match || undefined },
      };
      return send(simple ? 'POST' : method, simple ? `${address}/${name}` : address, sent, (response) => {
        // What is deleted has no tag.
        if (isWhole) tags.keep(address, response.headers);
        // What a record says in one language changes what it says of its languages.
        else if (language) tags.keep(address);
        // The route returns the record, or nothing.
        return readJson(response) as Promise<Result>;
      });
    };
  const update = change('PUT', 'update');
  const remove = change('DELETE', 'delete');

  /** A request that does something once. */
  const act = <Body>(
    address: string,
    body: unknown,
    { idempotency_key = uuid(), ...options }: CreateOptions & Pick<ChangeOptions, 'query'> = {},
    read?: (response: Response) => Promise<Body>,
  ): Promise<Body> =>
    send('POST', address, { ...options, body, headers: { 'Idempotency-Key': idempotency_key } }, read);

  return {
    calls: {
      ...recordReader(send, path, tags.keep),
      create: (data: object, options?: CreateOptions): Promise<object> =>
        act(simple ? `${path}/create` : path, data, options, async (response) => {
          // The route returns the record.
          const made = (await readJson(response)) as { readonly id?: string };
          if (made?.id) tags.keep(of(made.id), response.headers);
          return made;
        }),
      /** `update(id, changes)`; of a single type `update(changes)`. */
      update: (...given: readonly unknown[]): Promise<object> =>
        // The interfaces allow these two forms alone.
        update(...((typeof given[0] === 'object' ? [undefined, ...given] : given) as Parameters<typeof update>)),
      delete: (id: string, options?: ChangeOptions): Promise<void> => remove(id, undefined, options),
    },
    of,
    update,
    act,
  };
}
