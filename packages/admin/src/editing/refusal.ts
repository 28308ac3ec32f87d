import { RectoError } from '@recto/client';
import { problemText } from '../api/service-text.ts';
import type { Refusal, Values } from './editing-state.ts';

/** A draft cannot be published: its record has other values of these fields by now. */
export class DraftConflict extends Error {
  readonly values: Values;

  constructor(values: Values) {
    super('The record has changed since its draft was begun.');
    this.values = values;
  }
}

/** The record is not as it was read. */
export class StaleRecord extends Error {}

/** What a failed request means for what was typed. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof DraftConflict) return { kind: 'draft-conflict', values: error.values };
  if (error instanceof StaleRecord) return { kind: 'stale' };
  if (!(error instanceof RectoError)) return { kind: 'rejected', message: String(error) };
  const { status, code, errors, location } = error;
  const message = problemText(error);
  if (status === 0) return { kind: 'offline' };
  if (code === 'idempotency_key_in_use') return { kind: 'busy', message };
  if (code === 'answer_not_kept') return { kind: 'done-before', id: location?.split('/').at(-1) || null };
  // What a proxy answers while the service starts again, and the like.
  const isProxy = status === 404 && code === 'unexpected_response';
  if (status >= 500 || status === 429 || status === 408 || isProxy) return { kind: 'busy', message };
  if (status === 401) return { kind: 'signed-out' };
  if (status === 404) return { kind: 'removed' };
  // The record was published or unpublished meanwhile, so that its changes belong elsewhere.
  if (code === 'stale' || code === 'lock_version_mismatch' || code === 'not_published' || code === 'no_draft') {
    return { kind: 'stale' };
  }
  if (code === 'validation_failed') return { kind: 'invalid', message, issues: errors };
  return { kind: 'rejected', message };
}
