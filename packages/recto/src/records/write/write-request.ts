import type { Caller } from '../../base/caller.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { ChangedValues, StoredRecord, WriteMoment } from '../../definition/protocol.ts';
import type { VisibilityParams } from '../../query/read-view.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** A request to change records. Access has been checked. */
export interface WriteRequest {
  readonly type: ContentType;
  /** Through the admin routes, by the rights of the caller's role, or through the public endpoint, by its rules. */
  readonly admin: boolean;
  readonly caller: Caller;
  /** The raw query string. */
  readonly search: string;
}

export interface CreateRequest extends WriteRequest {
  readonly payload: Readonly<Record<string, unknown>>;
  /** Values that the service itself gives the new record, such as what it found in an uploaded file. */
  readonly act?: (moment: WriteMoment) => ChangedValues;
  /** The id that it gets; absent: a new one. */
  readonly id?: string;
  /** Values that it has whatever its protocols give a new record: it was there before. */
  readonly kept?: ChangedValues;
}

export interface UpdateRecordRequest extends WriteRequest {
  /** Null for a single type. */
  readonly id: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The `If-Match` header (RFC 9110, section 13.1.1). */
  readonly ifMatch: string | null;
  /** The rows that it may find in addition to those it sees. */
  readonly among?: VisibilityParams;
  /** What its version of the record names as its making; default: `update`. */
  readonly action?: string;
  /** True: it is saved by itself, while somebody writes. False: the person who writes saves it. Absent: it belongs to no sitting. */
  readonly autosave?: boolean;
  /** The revision that it brings back. */
  readonly restoredFrom?: number;
  /** What it sets in other languages than the default, by their tags; a value that the caller may not write is none of these. */
  readonly translations?: ReadonlyMap<string, Readonly<Record<string, JsonValue>>>;
  /** On an admin route: whether the payload is without the private members of structured fields, which are kept. */
  readonly keepsHidden?: boolean;
  /** Sets a state, whatever version of the record the caller has seen: no protocol is asked about the payload. */
  readonly setsState?: true;
  /** The payload is a draft: whoever wrote it had the right to, and who publishes it needs no other than to publish. */
  readonly isDraft?: true;
  /** An action instead of a caller's update: it sets these values, and no protocol is asked about the payload. */
  readonly act?: (moment: WriteMoment, current: StoredRecord) => ChangedValues;
}

export interface DeleteRequest extends WriteRequest {
  readonly id: string;
  readonly ifMatch: string | null;
  readonly among?: VisibilityParams;
  /** The row goes, also where a protocol would mark it instead. */
  readonly outright?: boolean;
}
