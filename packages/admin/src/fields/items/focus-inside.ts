const focusable = 'input, select, textarea, [contenteditable="true"], button';

/** Where somebody begins in a part of a form: in the control of its first field, not in the tools beside it. */
function firstControl(part: HTMLElement): HTMLElement | undefined {
  const field = part.querySelector<HTMLElement>('[data-path]') ?? part;
  return [...field.querySelectorAll<HTMLElement>(focusable)].find(
    (control) => control.closest('[data-tools]') === null,
  );
}

const isLoading = (part: HTMLElement): boolean => {
  const field = part.querySelector('[data-path]');
  return field !== null && (field.matches('[aria-busy="true"]') || field.querySelector('[aria-busy="true"]') !== null);
};

/**
 * Puts the focus into a part of a form. Rich text is loaded when it is first needed: until it is there, `wait` gives the focus another
 * place. Whoever has moved on from that keeps the focus.
 */
export async function focusInside(part: HTMLElement, wait: () => Promise<void>): Promise<void> {
  if (!isLoading(part)) {
    const control = firstControl(part);
    if (control === undefined) await wait();
    else control.focus();
    return;
  }
  await wait();
  const before = document.activeElement;
  await new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      if (part.isConnected && isLoading(part)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(part, { subtree: true, childList: true, attributes: true });
  });
  if (document.activeElement === before) firstControl(part)?.focus();
}
