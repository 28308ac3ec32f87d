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
  checking: { label: 'transfer.checking', kind: 'accent', dot: 'filled' },
  checked: { label: 'transfer.checked', kind: 'neutral', dot: 'ring' },
  importing: { label: 'transfer.importing', kind: 'accent', dot: 'filled' },
  exporting: { label: 'transfer.exporting', kind: 'accent', dot: 'filled' },
  done: { label: 'transfer.done', kind: 'success', dot: 'filled' },
  failed: { label: 'transfer.failed', kind: 'danger', dot: 'filled' },
  cancelled: { label: 'transfer.cancelled', kind: 'neutral', dot: 'ring' },
};

/** Whether something is being done, so that it is looked at again. */
export const isUnderWay = (state: State): boolean =>
  state === 'checking' || state === 'importing' || state === 'exporting';
