import type { Caller } from '../base/caller.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Records } from '../records/records.ts';
import type { PreviewedRead } from './operation.ts';

/** The request header that carries a preview token, beside the `Authorization` of a reader or without one. */
export const previewHeader = 'Recto-Preview';

const bearer = /^Bearer +(rpt_\S*)$/i;

/** A request's preview token, and the `Authorization` of the reader beside it. Undefined: the request is no preview. */
export function previewOf(
  headers: Headers,
  authorization: string | null,
): { readonly token: string; readonly authorization: string | null } | undefined {
  const sent = authorization === null ? null : bearer.exec(authorization);
  if (sent?.[1] !== undefined) return { token: sent[1], authorization: null };
  const token = headers.get(previewHeader);
  return token === null ? undefined : { token, authorization };
}

/** A preview token that holds. */
export interface OpenedPreview {
  /** Who reads: about the records of the preview's tenant. */
  readonly caller: Caller;
  /** The language of reads that name none; null: the default. */
  readonly language: string | null;
  /** Runs a read on the records as the preview shows them. */
  read<T>(read: Pick<PreviewedRead, 'type'>, search: string, answer: (records: Records) => MaybePromise<T>): Promise<T>;
}

/** Knows preview tokens. */
export interface Previews {
  /** Rejects with a 401 `Problem` for a token that is unknown, expired, or has ended with the rights of who made it. */
  open(token: string, caller: Caller): Promise<OpenedPreview>;
}
