import { isCovered } from './window-keys.ts';

/** Whether a key belongs to what is being typed. */
export function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // A key inside a shadow tree comes from its host.
  const inner = target.shadowRoot?.activeElement ?? target;
  return (
    inner.matches('input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select') ||
    (inner instanceof HTMLElement && inner.isContentEditable)
  );
}

/** A single letter that may be a shortcut: no modifier, not in a field, nothing over the page. */
export const isPlainKey = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented && !isTyping(event) && !isCovered();

/** `Ctrl` on most systems, `⌘` on Apple's. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
export const commandKey = isApple ? '⌘' : 'Ctrl';

/** Where `g` and a letter go. */
export const goKeys: Readonly<Record<string, string>> = {
  h: '/',
  m: '/media',
  c: '/comments',
  t: '/types',
  u: '/users',
  k: '/api-tokens',
  w: '/webhooks',
  a: '/audit-log',
  j: '/jobs',
  s: '/settings',
  p: '/profile',
};
