import { afterAll, afterEach, beforeAll, describe, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { Admin } from '../admin.ts';
import { looksSkipReason, skipsLooks } from '../chromium.ts';
import { Keys } from '../keys.ts';

/** What somebody does without a mouse. No control is given the focus by the test: `Keys` goes to it as a person does. */
export interface Task {
  readonly name: string;
  /** Where the person is. Default: home. */
  readonly at?: string;
  /** Nobody is signed in. */
  readonly isSignedOut?: boolean;
  readonly run: (keys: Keys, page: Page) => Promise<void>;
}

export const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor();
export const rowOf = (page: Page, title: string): Locator => page.getByRole('row', { name: new RegExp(title) });
export const isClean = (page: Page): Promise<void> => page.locator('[data-state="clean"]').waitFor();
/** Waits until a control has the focus. */
export const hasFocus = (page: Page, control: Locator): Promise<void> => control.and(page.locator(':focus')).waitFor();

/** The service of the tasks of a file, with an admin called Ada. */
export class Desk implements AsyncDisposable {
  readonly admin: Admin;

  static async open(definitions: readonly unknown[] = []): Promise<Desk> {
    const admin = await Admin.open(definitions);
    await admin.account('ada', 'admin');
    return new Desk(admin);
  }

  private constructor(admin: Admin) {
    this.admin = admin;
  }

  /** Sends a request as Ada, and returns what is answered. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, and a wrong path fails the test.
  async send(line: string, body?: object): Promise<any> {
    const reply = await this.admin.service.send(line, body === undefined ? { as: 'ada' } : { as: 'ada', body });
    if (reply.status >= 300) throw new Error(`${line}: ${reply.text}`);
    return reply.json;
  }

  /** Opens a record of its own for a task. */
  async opened(page: Page, plural: string, values: Readonly<Record<string, unknown>>): Promise<string> {
    const { id } = await this.admin.service.seed(plural, values);
    await page.goto(`/admin/content/${plural}/${id}`);
    await isClean(page);
    return id;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.admin[Symbol.asyncDispose]();
  }
}

/** Runs the tasks on one service. What keys do in the browser does not depend on the database. */
export function withoutMouse(
  name: string,
  open: () => Promise<Desk>,
  tasksOf: (desk: () => Desk) => readonly Task[],
): void {
  describe.skipIf(skipsLooks)(`without a mouse, ${name}${looksSkipReason}`, () => {
    let opened: Desk | undefined;
    const desk = (): Desk => {
      if (opened === undefined) throw new Error('Nothing has been opened yet.');
      return opened;
    };
    beforeAll(async () => {
      opened = await open();
    });
    afterEach(() => opened?.admin.endTest());
    afterAll(() => opened?.[Symbol.asyncDispose]());

    test.each(tasksOf(desk).map((task) => [task.name, task] as const))(
      '%s',
      async (_, { at = '/', isSignedOut = false, run }) => {
        const page = await desk().admin.page({ ...(isSignedOut ? {} : { as: 'ada' }), path: at });
        await run(new Keys(page), page);
      },
    );
  });
}
