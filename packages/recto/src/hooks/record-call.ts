/** What code of a deployment asks of the content. Values are JSON, as it may come from another thread. */
export interface RecordCall {
  /** The plural of a type, or the singular of a single one; also in camel case. */
  readonly type: string;
  readonly action: 'list' | 'get' | 'create' | 'update' | 'delete';
  /** Null for lists, new records and single types. */
  readonly id: string | null;
  /** A query string without `?`. */
  readonly search: string;
  /** The payload as JSON text; null for none. */
  readonly payload: string | null;
  /** With the rights of the service itself. */
  readonly asSystem: boolean;
}

/** Carries out a call. Resolves with JSON text; null where there is nothing. Rejects with a `Problem`. */
export type SendCall = (call: RecordCall) => Promise<string | null>;
