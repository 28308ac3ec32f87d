import { preferences } from '../../app/preferences.svelte.ts';
import { actionOfKey, actionsFor } from './comment-actions.ts';
import type { CommentQueue } from './comment-queue.svelte.ts';

/** After `g`, a letter says where to go, and decides nothing here. */
const goingMs = 1_500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.closest('textarea, select, [contenteditable]') !== null ||
    (target instanceof HTMLInputElement && target.type !== 'checkbox'));

/** What the keys of the queue do. Returns the listener, which says by `preventDefault` what it has taken. */
export function queueKeys(queue: CommentQueue, focusSearch: () => void): (event: KeyboardEvent) => void {
  let goingUntil = 0;
  return (event) => {
    const isGoing = event.timeStamp < goingUntil;
    goingUntil = event.key === 'g' && !isGoing ? event.timeStamp + goingMs : 0;
    if (isGoing || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
      return;
    if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return;
    if (run(queue, event, focusSearch)) event.preventDefault();
  };
}

function run(queue: CommentQueue, { key, target }: KeyboardEvent, focusSearch: () => void): boolean {
  const { current, selected, selection } = queue;
  const isInList = target instanceof Node && queue.element?.contains(target) === true;
  const letters = preferences.shortcuts;
  if ((isInList && key === 'ArrowDown') || (letters && key === 'j')) queue.move(1);
  else if ((isInList && key === 'ArrowUp') || (letters && key === 'k')) queue.move(-1);
  else if (isInList && key === ' ' && target instanceof HTMLElement && target.tagName === 'ARTICLE') {
    if (current !== undefined) selection.toggle(current.id);
  } else if (key === 'Escape' && selection.size > 0) selection.clear();
  else if (letters && key === '/') focusSearch();
  else if (letters && key === 'u' && queue.undo !== undefined) queue.undo();
  else {
    const action = letters ? actionOfKey(key) : undefined;
    if (action === undefined || current === undefined) return false;
    if (selected.length > 0 && action !== 'reply') {
      if (action === 'delete') queue.deleting = selected;
      else void queue.decide(selected, action);
    } else if (actionsFor(current.status).includes(action)) queue.act(current, action);
  }
  return true;
}
