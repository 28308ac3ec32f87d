import type { ExportState, ImportState } from '../../../api/admin-routes.ts';
import type { MessageKey } from '../../../text/text.ts';

type State = ImportState | ExportState;

/** How a state is shown. */
interface Look {
  readonly label: MessageKey;
  readonly kind: 'neutral' | 'success' | 'accent' | 'danger';
  readonly dot: 'filled' | 'ring';
}

export const stateLooks: Readonly<Record<State, Look>> = {
  checking: { label: 'transfers.checking', kind: 'accent', dot: 'filled' },
  checked: { label: 'transfers.checked', kind: 'neutral', dot: 'ring' },
  importing: { label: 'transfers.importing', kind: 'accent', dot: 'filled' },
  exporting: { label: 'transfers.exporting', kind: 'accent', dot: 'filled' },
  done: { label: 'transfers.done', kind: 'success', dot: 'filled' },
  failed: { label: 'transfers.failed', kind: 'danger', dot: 'filled' },
  cancelled: { label: 'transfers.cancelled', kind: 'neutral', dot: 'ring' },
};

/** Whether something is being done, so that it is looked at again. */
export const isUnderWay = (state: State): boolean =>
  state === 'checking' || state === 'importing' || state === 'exporting';
