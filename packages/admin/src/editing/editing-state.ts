import type { FieldState } from './field-state.ts';

/** A record, or a part of one, by the names of its fields. */
export type Values = Readonly<Record<string, unknown>>;

/** Where changes are sent: a new record, the record itself, or the draft of a published one. */
export type Target = 'create' | 'record' | 'draft';

/** A record as the service returned it. */
export interface Loaded {
  readonly id: string;
  readonly record: Values;
  /** For `If-Match`; null: it has to be read first. */
  readonly tag: string | null;
  readonly target: Exclude<Target, 'create'>;
  /** The answer to a request that was executed before: the record may have changed since. */
  readonly isReplay?: boolean;
  /** It was read after the request was answered: others may have changed the record in between. */
  readonly isLater?: boolean;
}

/** What the service does with a record besides storing fields, such as publishing its draft. */
export interface Act {
  readonly name: string;
  readonly body?: Values;
}

/** What a person, or a pause in typing, asks for. */
export type Intent =
  /** `isAuto`: nobody asks for it but a pause in typing. */
  | { readonly kind: 'save'; readonly isAuto?: true }
  /** Save, with values that are not part of the form, such as a status. They are not tried again after a refusal. */
  | { readonly kind: 'save-with'; readonly set: Values }
  /** Save, then do something else. `flushed`: the saving is done. */
  | { readonly kind: 'act'; readonly act: Act; readonly flushed: boolean };

/** One request that changes something. It may be sent several times, and is executed once: `key` is its `Idempotency-Key`. */
export interface SaveRequest {
  readonly number: number;
  readonly key: string;
  readonly id: string | null;
  readonly target: Target;
  /** For `If-Match`. Null for a new record. */
  readonly tag: string | null;
  /** The fields of the form that it stores. */
  readonly values: Values;
  /** The fields that its answer is about. A new record has others, which were empty. */
  readonly own: readonly string[];
  /** What else is in its body. */
  readonly more: Values;
  readonly act: Act | null;
  /** Whether it saves by itself what somebody is writing, or what they save themselves; absent: it does something else. */
  readonly autosave?: boolean;
}

export interface FieldIssue {
  /** `title`, `body[2].author`. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** Why a request was not answered with a record. */
export type Refusal =
  | { readonly kind: 'offline' }
  /** The service could not do it now. */
  | { readonly kind: 'busy'; readonly message: string }
  /** It was executed before, and the answer was not kept. `id` is that of a record that it created. */
  | { readonly kind: 'done-before'; readonly id: string | null }
  | { readonly kind: 'invalid'; readonly message: string; readonly issues: readonly FieldIssue[] }
  | { readonly kind: 'stale' }
  /** The record has changed below its draft: these are its values of the fields in question. */
  | { readonly kind: 'draft-conflict'; readonly values: Values }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'rejected'; readonly message: string };

/** What a request that got no answer waits for: a connection, or a service that can do it. */
export type Waiting = 'offline' | 'busy';

export type Phase =
  | { readonly kind: 'idle' }
  /** `isGivenUp`: what it stores was discarded meanwhile. It cannot be called back, and is not sent again. */
  | { readonly kind: 'sending'; readonly request: SaveRequest; readonly isGivenUp?: true }
  | { readonly kind: 'reading'; readonly number: number }
  /** A request got no answer. It is sent again by itself. */
  | { readonly kind: 'waiting'; readonly why: Waiting; readonly message: string }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'signed-out' }
  /** The record was removed, or another account has signed in: nothing is sent, and the text is kept. */
  | { readonly kind: 'gone'; readonly why: 'removed' | 'account' };

export interface EditingState {
  readonly id: string | null;
  readonly account: string;
  readonly target: Target;
  readonly tag: string | null;
  /** The record as the service last returned it, with the columns that no form shows. */
  readonly record: Values;
  readonly fields: ReadonlyMap<string, FieldState>;
  /** The field that somebody is in. */
  readonly focused: string | null;
  readonly phase: Phase;
  /** The last change was sent by itself: it is no version that is kept, until somebody saves it. */
  readonly isAutosaved: boolean;
  /** The record has to be read before anything else is sent. */
  readonly isStale: boolean;
  /** A request of which nobody knows whether it was executed. It is sent again, as it was, before any other. */
  readonly unsettled: SaveRequest | null;
  readonly intent: Intent | null;
  /** Values of the record that have to be sent to its draft first, so that the draft goes out from them. */
  readonly rebase: ReadonlyMap<string, unknown>;
  readonly issues: readonly FieldIssue[];
  /** How many requests in a row got no answer. */
  readonly attempts: number;
  /** Why the last of them got none. */
  readonly trouble: Waiting;
  /** How often in a row a request was refused that was to go through after the record was read anew, or somebody had signed in. */
  readonly rounds: number;
  /** Counts requests, so that an answer finds the one it belongs to. */
  readonly number: number;
}

export type EditingEvent =
  | { readonly kind: 'change'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'focus'; readonly name: string | null }
  | { readonly kind: 'ask'; readonly intent: Intent }
  | { readonly kind: 'answered'; readonly number: number; readonly loaded: Loaded }
  | { readonly kind: 'refused'; readonly number: number; readonly refusal: Refusal }
  /** The time to try again has come, or the connection is back. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'signed-in'; readonly account: string }
  /** Another tab or person has saved the record. */
  | { readonly kind: 'changed-elsewhere' }
  | { readonly kind: 'choose'; readonly name: string; readonly side: 'mine' | 'theirs' }
  | { readonly kind: 'discard' }
  | { readonly kind: 'restore'; readonly kept: KeptFields; readonly unsettled: SaveRequest | null }
  /** The text of a record that is gone becomes a new one. */
  | { readonly kind: 'save-as-new'; readonly account: string };

/** What was typed of some fields, and what it was begun from. */
export type KeptFields = Readonly<Record<string, { readonly base: unknown; readonly mine: unknown }>>;

export type Effect =
  | { readonly kind: 'send'; readonly request: SaveRequest }
  | { readonly kind: 'read'; readonly number: number; readonly id: string }
  /** Send a `retry` after a pause that grows with the attempts. */
  | { readonly kind: 'wait'; readonly attempts: number }
  /** What is here and not in the service has changed: store it on this machine, or remove it. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'sign-in' };

export interface Step {
  readonly state: EditingState;
  readonly effects: readonly Effect[];
}
