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
    if (document.querySelector('[role="dialog"]') !== null) return;
    if (run(queue, event, focusSearch)) event.preventDefault();
  };
}

function run(queue: CommentQueue, { key, target }: KeyboardEvent, focusSearch: () => void): boolean {
  if (key === 'Escape' && queue.selection.size > 0) {
    queue.selection.clear();
    return true;
  }
  const isInList = target instanceof Node && queue.element?.contains(target) === true;
  return (isInList && runInList(queue, key, target)) || (preferences.shortcuts && runLetter(queue, key, focusSearch));
}

function runInList(queue: CommentQueue, key: string, target: Node): boolean {
  const { current, selection } = queue;
  if (key === 'ArrowDown') queue.move(1);
  else if (key === 'ArrowUp') queue.move(-1);
  else if (key === ' ' && target instanceof HTMLElement && target.tagName === 'ARTICLE') {
    if (current !== undefined) selection.toggle(current.id);
  } else return false;
  return true;
}

function runLetter(queue: CommentQueue, key: string, focusSearch: () => void): boolean {
  if (key === 'j') queue.move(1);
  else if (key === 'k') queue.move(-1);
  else if (key === '/') focusSearch();
  else if (key === 'u' && queue.undo !== undefined) queue.undo();
  else return runAction(queue, key);
  return true;
}

/** What a letter decides: of all that is selected, else of the current comment. */
function runAction(queue: CommentQueue, key: string): boolean {
  const { current, selected } = queue;
  const action = actionOfKey(key);
  if (action === undefined || current === undefined) return false;
  if (selected.length === 0 || action === 'reply') {
    if (actionsFor(current.status).includes(action)) queue.act(current, action);
  } else if (action === 'delete') queue.deleting = selected;
  else void queue.decide(selected, action);
  return true;
}
