/** Whether somebody is typing there. */
export const isInField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Whether a dialog lies over the page. */
export const isBehindDialog = (): boolean => document.querySelector('[role="dialog"]') !== null;
