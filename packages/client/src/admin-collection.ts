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

/** What a record is in one language of the service. */
export interface LanguageState {
  readonly language: string;
  readonly default: boolean;
  /** Whether it says anything in the language. */
  readonly exists: boolean;
  /** Whether the default language has changed since the translation was last written. */
  readonly outdated: boolean;
  readonly changed_at: string | null;
  readonly draft: boolean;
  /** Of a type whose languages are published one by one. */
  readonly status?: string | null;
  readonly scheduled_at?: string | null;
}

export interface LanguageOption {
  /** The language that is meant. Default: the first of the service. */
  readonly language?: string;
}

export interface BatchOptions extends LanguageOption, CreateOptions {
  /** Whether other languages stand in, in what the filter reads. Default: no. */
  readonly fallback?: boolean;
}

export interface BatchResult {
  readonly action: string;
  readonly affected: number;
}

/** Options with the language, what stands in for it, and whether the draft is meant, in the query. */
const named = <Options extends CallOptions>(
  options?: LanguageOption & Pick<BatchOptions, 'fallback'> & Options,
  draft?: true,
) => ({
  ...options,
  query: { draft, language: options?.language, fallback: options?.fallback },
});

/** What the admin routes do with one record, or many, beyond reading and writing. */
export function adminRecords(send: Send, tags: Tags, path: string): object {
  const { calls, of, update, act } = recordWriter(send, tags, path);
  /** An action after which the record's tag is not known. */
  const action =
    (name: string) =>
    (id: string, options?: LanguageOption & CreateOptions): Promise<object> => {
      tags.keep(of(id));
      return act(of(id, `/${name}`), undefined, named(options));
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
    status(id: string, status: string, options?: LanguageOption & CallOptions): Promise<object> {
      tags.keep(of(id));
      return send('PUT', of(id, '/status'), { ...named(options), body: { status } });
    },
    /** The next version of a published record, seen by editors until it is published. */
    draft: (id: string) => ({
      get: (options?: LanguageOption & CallOptions): Promise<object> => send('GET', of(id), named(options, true)),
      update: (changes: object, options?: ChangeOptions): Promise<object> =>
        update(id, changes, { ...options, query: { draft: true } }),
      discard: (options?: LanguageOption & CallOptions): Promise<void> =>
        send('DELETE', of(id, '/draft'), named(options)),
    }),
    /** What a record is in each language. */
    languages: (id: string, options?: CallOptions): Promise<{ readonly items: readonly LanguageState[] }> =>
      send('GET', of(id, '/languages'), options),
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
    /** Copies a record with what belongs to it. */
    duplicate: (id: string, copy: object = {}, options?: CreateOptions): Promise<object> =>
      act(of(id, '/duplicate'), copy, options),
    /** One action on many records, all or nothing. */
    batch: (
      { filter, ...batch }: { readonly filter?: string | object },
      options?: BatchOptions,
    ): Promise<BatchResult> => act(`${path}/batch`, { ...batch, filter: filter && filterText(filter) }, named(options)),
    /** Moves a record of a tree. */
    move: (id: string, to: object, options?: CreateOptions): Promise<object> => act(of(id, '/move'), to, options),
  };
}
