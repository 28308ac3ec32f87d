import { afterFrame } from '../ui/after-frame.ts';

/** What can be next without a keyboard coming up on a touch screen. */
const focusable = 'a[href], button:not(:disabled, [aria-disabled="true"]), summary, [tabindex]:not([tabindex="-1"])';

/**
 * Gives the focus a place when what had it was removed: a row whose button removed it, a button that is not needed any more. Otherwise it
 * would be nowhere, and reading would begin at the top. Whoever puts it elsewhere meanwhile is not in the way. Returns the end of it.
 */
export function keepFocus(main: HTMLElement): () => void {
  let last: Element | undefined;
  let cancel = (): void => undefined;
  const onfocusin = ({ target }: FocusEvent): void => {
    last = target instanceof Element ? target : undefined;
  };
  const isLost = (): boolean => document.activeElement === document.body && last !== undefined && !last.isConnected;
  const observer = new MutationObserver((records) => {
    if (!isLost()) return;
    const removal = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last ?? null)));
    if (removal === undefined) return;
    cancel();
    cancel = afterFrame(() => isLost() && nearest(main, removal)?.focus({ preventScroll: true }));
  });
  document.addEventListener('focusin', onfocusin);
  observer.observe(document.body, { subtree: true, childList: true });
  return () => {
    document.removeEventListener('focusin', onfocusin);
    observer.disconnect();
    cancel();
  };
}

const hasHeading = (node: Node): boolean =>
  node instanceof Element && (node.matches('h1') || node.querySelector('h1') !== null);

/** What comes after the place of a removal, else what is before it. Where the whole page was replaced, its heading. */
function nearest(main: HTMLElement, { target, nextSibling, removedNodes }: MutationRecord): HTMLElement | undefined {
  const heading = main.querySelector<HTMLElement>('h1[tabindex]') ?? undefined;
  if (!main.contains(target) || [...removedNodes].some(hasHeading)) return heading;
  const place = nextSibling?.isConnected ? nextSibling : target;
  const controls = [...main.querySelectorAll<HTMLElement>(focusable)].filter((control) => control.checkVisibility());
  const isAfter = (control: HTMLElement): boolean =>
    place === nextSibling
      ? (place.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 || place === control
      : place.compareDocumentPosition(control) === Node.DOCUMENT_POSITION_FOLLOWING;
  return controls.find(isAfter) ?? controls.at(-1) ?? heading;
}
