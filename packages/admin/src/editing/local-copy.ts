import type { KeptFields, SaveRequest } from './editing-state.ts';

/** Where a copy belongs. */
export interface CopyPlace {
  /** The origin of the service. */
  readonly site: string;
  readonly account: string;
  /** The plural of the content type. */
  readonly type: string;
  /** The id of the record, or `new`. */
  readonly record: string;
  /** The language that it is written in; absent: the default one. */
  readonly language?: string | undefined;
}

/** What was typed and is not in the service, as this browser keeps it. */
export interface LocalCopy extends CopyPlace {
  /** The editor that it was typed in: each opening of a record in each tab has another. */
  readonly tab: string;
  /** When it was last changed, in milliseconds since 1970. */
  readonly at: number;
  /** How the record is called. */
  readonly title: string;
  readonly fields: KeptFields;
  /** A request that may have been executed. */
  readonly unsettled: SaveRequest | null;
}

/** Keeps copies on this machine. */
export interface LocalStore {
  put(copy: LocalCopy): Promise<void>;
  remove(copy: CopyPlace & { readonly tab: string }): Promise<void>;
  /** All copies of a record in a language, the newest first. */
  copiesOf(place: CopyPlace): Promise<readonly LocalCopy[]>;
  /** All copies of an account, the newest first. */
  copiesOfAccount(place: Pick<CopyPlace, 'site' | 'account'>): Promise<readonly LocalCopy[]>;
  /** Another page has removed a copy. Returns what ends the listening. */
  onRemoved(listener: () => void): () => void;
}
