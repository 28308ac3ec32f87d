import type { ChangeOptions, CreateOptions } from './collection.ts';
import type { Page } from './content.ts';
import type { CallOptions } from './transport.ts';

/** What a view shows. An empty text or list: as the list does without a view. */
export interface SavedViewInput {
  readonly name: string;
  /** Whether others of the tenant see it who may read what it names. */
  readonly shared?: boolean;
  readonly filter?: string;
  readonly search?: string;
  readonly sort?: string;
  readonly columns?: readonly string[];
}

/** A list of records under a name. */
export interface SavedView extends Required<SavedViewInput> {
  readonly id: string;
  /** The plural of the content type; of a single type its singular. */
  readonly type: string;
  /** The account or API token that made it. */
  readonly owner: string;
  readonly may_change: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The views that the caller sees. */
export interface SavedViews {
  list(
    options?: CallOptions & {
      readonly page?: number;
      readonly page_size?: number;
      readonly query?: { readonly type?: string };
    },
  ): Promise<Page<SavedView>>;
  get(id: string, options?: CallOptions): Promise<SavedView>;
  create(view: SavedViewInput & { readonly type: string }, options?: CreateOptions): Promise<SavedView>;
  update(id: string, changes: Partial<SavedViewInput>, options?: ChangeOptions): Promise<SavedView>;
  delete(id: string, options?: CallOptions): Promise<void>;
}

/** A choice under a name. */
export interface Preference {
  readonly name: string;
  readonly value: unknown;
  readonly updated_at: string;
}

export interface MyPreferences {
  /** All of them. */
  list(options?: CallOptions): Promise<Page<Preference>>;
  /** Sets one to any JSON value: `update('list:articles', { value: { columns: ['title'] } })`. */
  update(name: string, changes: { readonly value: unknown }, options?: CallOptions): Promise<Preference>;
  delete(name: string, options?: CallOptions): Promise<void>;
}
