import { type ChangeOptions, type CreateOptions, recordReader } from './collection.ts';
import { filterText } from './filter.ts';
import { recordWriter } from './record-writer.ts';
import type { Tags } from './tags.ts';
import type { CallOptions, Send } from './transport.ts';

/** One version of a record, as the list of revisions shows it. */
export interface Revision {
  readonly revision: number;
  readonly action: string;
  /** What somebody has called it, which keeps it. */
  readonly name: string | null;
  readonly [member: string]: unknown;
}

/** An operation of JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

export interface BatchResult {
  readonly action: string;
  readonly affected: number;
}

/** What the admin routes do with one record, or many, beyond reading and writing. */
export function adminRecords(send: Send, tags: Tags, path: string): object {
  const { calls, of, update, act } = recordWriter(send, tags, path);
  /** An action after which the record's tag is not known. */
  const action =
    (name: string) =>
    (id: string, options?: CreateOptions): Promise<object> => {
      tags.keep(of(id));
      return act(of(id, `/${name}`), undefined, options);
    };
  return {
    ...calls,
    /** Takes back a soft delete. */
    restore: action('restore'),
    /** Publishes a record, or its draft. */
    publish: action('publish'),
    /** Removes a deleted record for good. */
    purge: (id: string, options?: CallOptions): Promise<void> => send('DELETE', of(id, '/purge'), options),
    /** Sets the status of a page, a post or a comment. */
    status(id: string, status: string, options?: CallOptions): Promise<object> {
      tags.keep(of(id));
      return send('PUT', of(id, '/status'), { ...options, body: { status } });
    },
    /** The next version of a published record, seen by editors until it is published. */
    draft: (id: string) => ({
      get: (options?: CallOptions): Promise<object> => send('GET', of(id), { ...options, query: { draft: true } }),
      update: (changes: object, options?: ChangeOptions): Promise<object> =>
        update(id, changes, { ...options, query: { draft: true } }),
      discard: (options?: CallOptions): Promise<void> => send('DELETE', of(id, '/draft'), options),
    }),
    /** Saving while a person writes: see `docs/protocols/versionable.md#sittings`. */
    sitting: (id: string) => ({
      autosave: (changes: object, options?: ChangeOptions): Promise<object> =>
        update(id, changes, { ...options, query: { autosave: true } }),
      keep: (changes: object = {}, options?: ChangeOptions): Promise<object> =>
        update(id, changes, { ...options, query: { autosave: false } }),
    }),
    revisions(id: string) {
      const { list, get } = recordReader(send, of(id, '/revisions'));
      return {
        list,
        get,
        diff: (from: number, to: number, options?: CallOptions): Promise<readonly PatchOperation[]> =>
          send('GET', of(id, `/revisions/${from}/diff/${to}`), options),
        name: (revision: number, name: string | null, options?: CallOptions): Promise<Revision> =>
          send('PUT', of(id, `/revisions/${revision}`), { ...options, body: { name } }),
        restore: (revision: number, options?: CreateOptions): Promise<object> =>
          action(`revisions/${revision}/restore`)(id, options),
      };
    },
    /** One action on many records, all or nothing. */
    batch: (
      { filter, ...batch }: { readonly filter?: string | object },
      options?: CreateOptions,
    ): Promise<BatchResult> => act(`${path}/batch`, { ...batch, filter: filter && filterText(filter) }, options),
    /** Moves a record of a tree. */
    move: (id: string, to: object, options?: CreateOptions): Promise<object> => act(of(id, '/move'), to, options),
  };
}
