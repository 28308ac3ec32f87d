import type { publicationStatuses } from '../../builtin/publication.ts';

type Status = (typeof publicationStatuses)[number];

interface Outcome {
  readonly status: Status;
  /** Whether its date is when it was first published. */
  readonly published: boolean;
}

/** Maps WordPress statuses. Only content that was public there becomes public here. */
export const statusOutcomes: Readonly<Record<string, Outcome>> = {
  publish: { status: 'Published', published: true },
  private: { status: 'Draft', published: true },
  future: { status: 'Draft', published: false },
  pending: { status: 'Draft', published: false },
  draft: { status: 'Draft', published: false },
  trash: { status: 'Archived', published: false },
};

/** Why items of some statuses are skipped. */
export const omittedStatuses: Readonly<Record<string, string>> = {
  'auto-draft': 'begun in the editor and never saved',
  inherit: 'a revision of another item',
};

/** Statuses of plugins do not show who may read. */
const unknown: Outcome = { status: 'Draft', published: false };

/** Maps an item's status and password (empty: none), with a note for the report. */
export function publicationOutcome(
  status: string,
  password: string,
): Outcome & { readonly remark: string | undefined } {
  const known = Object.hasOwn(statusOutcomes, status) ? statusOutcomes[status] : undefined;
  if (known === undefined)
    return { ...unknown, remark: `of the status “${status.slice(0, 40)}”, which is not known here: drafts` };
  if (password !== '' && known.status === 'Published') {
    return { ...known, status: 'Draft', remark: 'protected by a password, which there is not here: drafts' };
  }
  return { ...known, remark: status === 'private' ? 'private: drafts, which editors and admins see' : undefined };
}
