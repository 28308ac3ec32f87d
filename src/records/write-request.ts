import type { Caller } from '../caller/caller.ts';
import type { ContentType } from '../definition/content-type.ts';

/** A request to change records. Access has been checked. */
export interface WriteRequest {
  readonly type: ContentType;
  /** Through the admin routes, which bypass rules, or through the public endpoint. */
  readonly admin: boolean;
  readonly caller: Caller;
  /** The raw query string. */
  readonly search: string;
}

export interface CreateRequest extends WriteRequest {
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface UpdateRecordRequest extends WriteRequest {
  /** Null for a single type. */
  readonly id: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The `If-Match` header (RFC 9110, section 13.1.1). */
  readonly ifMatch: string | null;
}

export interface RemoveRequest extends WriteRequest {
  readonly id: string;
  readonly ifMatch: string | null;
}
