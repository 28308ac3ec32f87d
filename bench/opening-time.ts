import type { Page } from 'playwright-core';

/** Follows a link of the admin. Milliseconds until the frame in which `isThere`, an expression of the page, holds. */
export const openingTime = (page: Page, address: string, isThere: string): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const from = performance.now();
    const look = () => {
      if (!(${isThere})) requestAnimationFrame(look);
      else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)));
    };
    const link = document.createElement('a');
    link.href = ${JSON.stringify(address)};
    document.body.append(link);
    link.click();
    link.remove();
    look();
  })`);
