import type { Editor } from '@tiptap/core';
import type { Transaction } from '@tiptap/pm/state';
import { type BlockChoice, choicesFor } from './block-choice.ts';
import { type SlashText, slashText } from './slash-text.ts';

/** The blocks that are offered after a `/`. It opens when one is typed, and follows what is typed behind it. */
export class SlashMenu {
  readonly #editor: Editor;
  readonly #choices: readonly BlockChoice[];
  readonly #more: () => readonly BlockChoice[];
  /** What the menu is open for; undefined: it is closed. */
  #open = $state.raw<SlashText>();
  #active = $state(0);
  readonly #offered = $derived.by(() =>
    this.#open === undefined ? [] : choicesFor([...this.#choices, ...this.#more()], this.#open.text),
  );

  /** `more` are offered as well, while they are there. */
  constructor(editor: Editor, choices: readonly BlockChoice[], more: () => readonly BlockChoice[] = () => []) {
    this.#editor = editor;
    this.#choices = choices;
    this.#more = more;
  }

  /** Those that fit what was typed. */
  get choices(): readonly BlockChoice[] {
    return this.#offered;
  }

  get active(): number {
    return Math.min(this.#active, this.choices.length - 1);
  }

  /** The place of the `/`; undefined: nothing is offered. */
  get from(): number | undefined {
    return this.choices.length === 0 ? undefined : this.#open?.from;
  }

  /** Looks at what a transaction did. */
  follow(transaction: Transaction): void {
    if (!transaction.docChanged && !transaction.selectionSet) return;
    const found = slashText(this.#editor.state);
    const isTyped = transaction.docChanged && transaction.getMeta('preventUpdate') !== true;
    if (found === undefined) this.close();
    else if (this.#open !== undefined || (isTyped && found.text === '')) this.#open = found;
  }

  close(): void {
    if (this.#open === undefined) return;
    this.#open = undefined;
    this.#active = 0;
  }

  /** Returns whether the key was for the menu. */
  key({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
    if (this.from === undefined || isComposing || ctrlKey || metaKey || altKey) return false;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const count = this.choices.length;
      this.#active = (this.active + (key === 'ArrowDown' ? 1 : -1) + count) % count;
      return true;
    }
    if (key === 'Escape') {
      this.close();
      return true;
    }
    if (key !== 'Enter') return false;
    this.choose(this.active);
    return true;
  }

  /** Puts the block in the place of the `/` and what was typed behind it. */
  choose(index: number): void {
    const choice = this.choices[index];
    const open = this.#open;
    this.close();
    if (choice === undefined || open === undefined) return;
    this.#editor.view.dispatch(this.#editor.state.tr.delete(open.from, open.to));
    choice.run();
  }
}
