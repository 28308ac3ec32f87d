import type { Page } from 'playwright-core';
import { accessibilityIssues } from './admin.ts';

/** What axe-core finds on a page as it is, in both themes; `within` as for `accessibilityIssues`. The light theme is shown afterwards. */
export async function issuesInBothThemes(page: Page, within?: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    found.push(...(await accessibilityIssues(page, within)).map((issue) => `${theme}: ${issue}`));
  }
  return found;
}

/** What is wrong with a page as it is: what axe-core finds in both themes, wide and narrow, and where it scrolls sideways. */
export async function issuesInEveryLook(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 });
    found.push(...(await issuesInBothThemes(page)).map((issue) => `${width} px, ${issue}`));
    const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (wider > 0) found.push(`${wider} px wider than a window of ${width} px`);
  }
  return found;
}
