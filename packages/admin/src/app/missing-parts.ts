import { t } from '../text/text.ts';
import { toast } from '../ui/toasts.svelte.ts';

/**
 * Reports parts of the admin that could not be loaded when they were needed: without a connection, or after an update of the service,
 * whose files have other names. Call it once, before the first of them is loaded.
 */
export function reportMissingParts(): void {
  const failures = new Set<unknown>();
  window.addEventListener('vite:preloadError', ({ payload }) => failures.add(payload));
  // Whoever waits for a part shows nothing without it, and rejects.
  window.addEventListener('unhandledrejection', (event) => {
    if (!failures.delete(event.reason)) return;
    event.preventDefault();
    const reload = { label: t('app.reload'), run: () => location.reload() };
    toast(t('app.partMissing'), { kind: 'error', action: reload });
  });
}
