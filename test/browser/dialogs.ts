import type { Locator } from 'playwright-core';

/** Presses a button that closes a dialog, and waits until it is gone: it stays for a few frames, with its text, its buttons and its keys. */
export async function closeBy(dialog: Locator, button: string): Promise<void> {
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
