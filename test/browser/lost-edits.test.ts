import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContext, Page } from 'playwright-core';
import { isDeep } from '../support/random-cases.ts';
import { Admin } from './admin.ts';
import { chromiumPath, skipReason } from './chromium.ts';
import { storyType } from './editor-types.ts';

/** How many saves the test goes through: a few in every run, many with RECTO_TEST_DEEP=1, and others with RECTO_LOST_EDIT_SAVES=1000. */
const wantedSaves = Number(process.env.RECTO_LOST_EDIT_SAVES ?? (isDeep ? 400 : 24));
/** Keys a second of the one who types. */
const rate = 10;

/** The same numbers in each run with one seed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A header of the requests of the second tab. */
const secondTab = 'x-second-tab';

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.skipIf(chromiumPath === undefined)(`typing through failures${skipReason}`, () => {
  let admin: Admin;
  beforeAll(async () => {
    admin = await Admin.open([storyType]);
    await admin.account('ada', 'admin');
    await admin.account('edith', 'editor');
  });
  afterAll(() => admin?.[Symbol.asyncDispose]());

  test(
    `loses no character in ${wantedSaves} saves`,
    async () => {
      const seed = Number(process.env.RECTO_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
      const random = randomNumbers(seed);
      const chance = (share: number): boolean => random() < share;
      const { id } = await admin.service.seed('stories', { title: 'A', summary: 'B', notes: 'C', status: 'published' });
      const route = `/api/v1/admin/cms/stories/${id}`;
      const draft = async (): Promise<Record<string, unknown>> =>
        (await admin.service.send(`GET ${route}?draft=true`, { as: 'ada' })).json;

      let saves = 0;
      let isCalm = false;
      /** Tokens of before are no longer taken. */
      let isEnded = false;
      admin.intercept = async (request) => {
        const { pathname } = new URL(request.url);
        if (!pathname.startsWith('/api/v1/')) return undefined;
        const isSecond = request.headers.has(secondTab);
        if (isEnded && !isSecond && !pathname.startsWith('/api/v1/auth/login')) return unauthorized();
        if (isCalm || request.method !== 'PUT' || pathname !== route) return undefined;
        // Answers come late, so that the next ones overtake them, or never.
        const kind = random();
        if (kind < 0.08) return new Response(null, { status: 502 });
        await sleep(random() * 400);
        if (kind < 0.16)
          return Response.json({ code: 'busy', title: 'Busy' }, { status: 503, headers: { 'Retry-After': '0' } });
        const response = await admin.service.app.fetch(request);
        if (response.ok) saves += 1;
        await sleep(random() * 400);
        if (kind < 0.28) return new Response(null, { status: 504 });
        return response;
      };

      const context = await admin.context();
      await admin.signIn(context, 'ada');
      const typist = new Typist(admin, context, `/content/stories/${id}`);
      // A second tab of the same person, in a field of its own.
      const second = new Typist(admin, context, `/content/stories/${id}`);
      await typist.open();
      await second.open();
      // Its session goes on: a save that it has asked for would show a dialog, which takes the next letter.
      await second.page.setExtraHTTPHeaders({ [secondTab]: 'yes' });
      /** What each field has to hold in the end. */
      const typed = { title: 'A', summary: 'B' };
      let letters = 0;
      let conflicts = 0;

      for (let round = 0; saves < wantedSaves; round++) {
        for (let key = 0; key < 5; key++) {
          const letter = String.fromCharCode(97 + (letters++ % 26));
          await typist.type('Title', letter);
          typed.title += letter;
          if (key % 2 === 0) {
            await second.type('Summary', letter);
            typed.summary += letter;
          }
          if (typed.title.length > 150) typed.title = await typist.restart('Title', 'A');
          if (typed.summary.length > 400) typed.summary = await second.restart('Summary', 'B');
          await sleep(1000 / rate);
        }
        conflicts +=
          (await typist.page.locator('[data-state="conflict"]').count()) +
          (await second.page.locator('[data-state="conflict"]').count());
        if (chance(0.8)) await typist.save();
        if (chance(0.6)) await second.save();
        if (chance(0.08)) {
          // Somebody else writes another field.
          isCalm = true;
          await admin.service.send(`PUT ${route}?draft=true`, { as: 'edith', body: { notes: `C${round}` } });
          isCalm = false;
        }
        if (chance(0.04)) await typist.killed(typed.title, 'Title');
        if (chance(0.02)) {
          // Before: an earlier save may ask for the password by now, in a dialog that takes the focus.
          await typist.type('Title', 'z');
          typed.title += 'z';
          isEnded = true;
          await context.clearCookies();
          await typist.save();
          await typist.signIn(() => {
            isEnded = false;
          });
        }
      }

      isCalm = true;
      for (const one of [typist, second]) await one.settle();
      const stored = await draft();
      expect({ seed, conflicts, title: stored.title, summary: stored.summary }).toEqual({
        seed,
        conflicts: 0,
        ...typed,
      });
      expect(await typist.value('Title')).toBe(typed.title);
      expect(await second.value('Summary')).toBe(typed.summary);
      admin.intercept = undefined;
      // What the browser says of requests that fail is no problem of the page.
      admin.takeProblems();
    },
    600_000 + wantedSaves * 6_000,
  );
});

const unauthorized = (): Response =>
  Response.json({ code: 'invalid_token', title: 'Authentication required' }, { status: 401 });

/** Somebody who types in one tab. */
class Typist {
  readonly #admin: Admin;
  readonly #context: BrowserContext;
  readonly #path: string;
  #page: Page | undefined;

  constructor(admin: Admin, context: BrowserContext, path: string) {
    this.#admin = admin;
    this.#context = context;
    this.#path = path;
  }

  get page(): Page {
    if (this.#page === undefined) throw new Error('No page is open.');
    return this.#page;
  }

  #field = (label: string) => this.page.getByLabel(label, { exact: true });

  async open(): Promise<void> {
    this.#page = await this.#admin.tab(this.#context, this.#path);
    await this.#field('Title').waitFor();
  }

  async type(label: string, letter: string): Promise<void> {
    const field = this.#field(label);
    await field.focus();
    // At the end, as one writes.
    await field.press('End');
    await field.pressSequentially(letter);
  }

  value = (label: string): Promise<string> => this.#field(label).inputValue();

  /** Begins a text anew, which is long enough. */
  async restart(label: string, text: string): Promise<string> {
    await this.#field(label).fill(text);
    return text;
  }

  save = (): Promise<void> => this.page.keyboard.press('Control+s');

  /** The page ends without a word, once its text is kept; the next one takes it up. */
  async killed(text: string, label: string): Promise<void> {
    await this.page.waitForFunction(isKept, [label.toLowerCase(), text] as const);
    await this.page.close();
    await this.open();
    const restore = this.page.getByRole('button', { name: 'Restore', exact: true });
    // Either the service has all of it by now, or it is offered.
    await this.page.waitForFunction(isShown, text);
    while ((await this.value(label)) !== text) await restore.first().click();
  }

  async signIn(before: () => void): Promise<void> {
    const password = this.page.getByLabel('Password');
    await password.waitFor();
    before();
    await password.fill('correct horse');
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await password.waitFor({ state: 'hidden' });
  }

  async settle(): Promise<void> {
    await this.page.bringToFront();
    await this.save();
    await this.page.locator('[data-state="clean"]').waitFor();
  }
}

/** In the page: whether a text is in the service or in the browser's store, so that the page may end. */
async function isKept([name, text]: readonly [string, string]): Promise<boolean> {
  if (document.querySelector('[data-state="clean"]')) return true;
  const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await resultOf(indexedDB.open('recto-editing'));
  const copies: { readonly fields: Readonly<Record<string, { readonly mine: unknown } | undefined>> }[] =
    await resultOf(database.transaction('copies').objectStore('copies').getAll());
  database.close();
  return copies.some(({ fields }) => fields[name]?.mine === text);
}

/** In the page: whether a text is in a field or offered. */
function isShown(text: string): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')];
  const buttons = [...document.querySelectorAll('button')];
  return (
    fields.some(({ value }) => value === text) || buttons.some((button) => button.textContent?.trim() === 'Restore')
  );
}
