import type { Locator, Page } from 'playwright-core';

/** More stops than any page of the tests has. */
const mostStops = 150;

/** Also where it stands in a shadow root, as the code editor does. */
const hasFocus = (element: Element): boolean => {
  const root = element.getRootNode();
  return root instanceof Document || root instanceof ShadowRoot ? element.contains(root.activeElement) : false;
};

/** A person at a page without a mouse: everything is reached by keys, and what cannot be reached fails the test. */
export class Keys {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Two letters that mean something together when the second comes soon: both are on their way before the first is answered. */
  async pair(first: string, second: string): Promise<void> {
    await Promise.all([this.page.keyboard.press(first), this.page.keyboard.press(second)]);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Waits until a control is there, and goes to it by the Tab key. */
  async to(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await control.waitFor();
    for (let stops = 0; stops < mostStops; stops += 1) {
      if (await control.evaluate(hasFocus)) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`The Tab key does not lead to ${control}.`);
  }

  /** Goes to a button or link, and presses it. */
  async use(control: Locator, key = 'Enter'): Promise<void> {
    await this.to(control);
    await this.page.keyboard.press(key);
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    return this.use(within.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }));
  }

  link(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    return this.use(within.getByRole('link', typeof name === 'string' ? { name, exact: true } : { name }));
  }

  /** Takes back what a message offers to. */
  undo(): Promise<void> {
    return this.use(this.page.getByRole('button', { name: 'Undo', exact: true }));
  }

  /** Opens a menu, and waits until the keys are its own: before, letters would go to its button. */
  async menu(button: string | RegExp): Promise<void> {
    await this.button(button);
    await this.page.locator('[role="menu"]:focus, [role="menu"] :focus').first().waitFor();
  }

  /** Replaces what a field has. */
  async fill(label: string | RegExp, text: string, within: Page | Locator = this.page): Promise<void> {
    await this.to(within.getByLabel(label, typeof label === 'string' ? { exact: true } : {}));
    await this.press('Control+a', 'Delete');
    await this.type(text);
  }

  /** Goes down in a list of choices until one is chosen. */
  async choose(label: string, option: string, within: Page | Locator = this.page): Promise<void> {
    const select = within.getByLabel(label, { exact: true });
    await this.to(select);
    await this.press('Home');
    for (let steps = 0; steps < 60; steps += 1) {
      const chosen = await select.evaluate((element) =>
        element instanceof HTMLSelectElement ? element.selectedOptions[0]?.textContent?.trim() : undefined,
      );
      if (chosen === option) return;
      await this.press('ArrowDown');
    }
    throw new Error(`The arrow keys do not lead to ${option} in ${label}.`);
  }
}
