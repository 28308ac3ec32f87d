import type { EditingMachine } from './editing-machine.ts';
import type { EditingState } from './editing-state.ts';

/** The saving in a word, for the bar at the top. */
export type SavingStatus =
  | 'clean'
  | 'dirty'
  | 'saving'
  | 'conflict'
  | 'failed'
  | 'offline'
  | 'busy'
  | 'signed-out'
  | 'gone';

export function savingStatus(machine: EditingMachine, state: EditingState): SavingStatus {
  const { phase } = state;
  switch (phase.kind) {
    case 'idle':
      return machine.dirty(state).length > 0 ? 'dirty' : 'clean';
    case 'reading':
      // Looking at what another has saved is no saving of one's own.
      if (state.intent !== null) return underWay(state);
      return machine.dirty(state).length > 0 ? 'dirty' : 'clean';
    case 'sending':
      return underWay(state);
    case 'waiting':
      return phase.why;
    case 'conflict':
    case 'failed':
    case 'signed-out':
    case 'gone':
      return phase.kind;
  }
}

/** A further attempt is no news: it stays unsaved until an answer says otherwise. */
const underWay = ({ attempts, trouble }: EditingState): SavingStatus => (attempts > 0 ? trouble : 'saving');
