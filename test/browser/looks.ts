import type { Page } from 'playwright-core';
import { accessibilityIssues } from './admin.ts';

/**
 * What axe-core finds on a page as it is, in both themes; `within` as for `accessibilityIssues`. Themes differ in nothing but colours, so
 * that the light one is only asked about those. It is shown afterwards.
 */
export async function issuesInBothThemes(page: Page, within?: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [theme, which] of [['dark', 'all'] as const, ['light', 'colours'] as const]) {
    await showTheme(page, theme);
    found.push(...(await accessibilityIssues(page, within, which)).map((issue) => `${theme}: ${issue}`));
  }
  return found;
}

/** Shows a page in a theme, and waits until no colour is on its way to another one. */
export async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(settled);
}

/**
 * What is wrong with a page as it is: what axe-core finds, wide in both themes and narrow in the dark one, and where it scrolls sideways.
 * What stands beside each other or below has the same colours. `atEnd`: scrolled to the end, where a bar at the lower edge covers nothing.
 */
export async function issuesInEveryLook(
  page: Page,
  { atEnd = false }: { readonly atEnd?: boolean } = {},
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 });
    // What follows the width stands in its place by then.
    await showTheme(page, 'dark');
    if (atEnd) await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    const issues = await (width === 1440 ? issuesInBothThemes(page) : accessibilityIssues(page));
    found.push(...issues.map((issue) => `${width} px, ${issue}`));
    const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (wider > 0) found.push(`${wider} px wider than a window of ${width} px`);
  }
  return found;
}

/** The same of the page at a path of the admin, once it has loaded; each with the path. */
export async function issuesAt(page: Page, path: string): Promise<readonly string[]> {
  await page.goto(`/admin${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  return (await issuesInEveryLook(page)).map((issue) => `${path}, ${issue}`);
}

/**
 * In the page: resolves when no colour is on its way to another one. Parts inside of others may begin after them. Those of what is not shown,
 * as inside of closed details, stand still.
 */
const settled = `(async () => {
  const isShown = ({ effect }) => effect?.target?.checkVisibility({ contentVisibilityAuto: true }) === true;
  for (let calm = 0; calm < 3; ) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    calm = document.getAnimations().some((one) => one instanceof CSSTransition && isShown(one)) ? 0 : calm + 1;
  }
})()`;
