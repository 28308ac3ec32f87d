import { newId } from './new-id.ts';
import { errorText } from './query.svelte.ts';

/** A text that somebody sends, with the state that its form shows. */
export class SentOnce {
  isSending = $state(false);
  /** Why it was not sent. */
  failure = $state<string>();
  /** The same text that is sent again, because nobody knows whether it arrived, is one. */
  #last: { readonly body: string; readonly key: string } | undefined;

  /** Sends it with its `Idempotency-Key`, unless it is being sent. `body`: what makes it another one. */
  async send(body: string, work: (key: string) => Promise<void>): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    this.failure = undefined;
    if (this.#last?.body !== body) this.#last = { body, key: newId() };
    try {
      await work(this.#last.key);
    } catch (error) {
      this.failure = errorText(error);
    }
    this.isSending = false;
  }
}

/** The keys of a text that is sent: Ctrl+Enter sends it, and Escape gives it up. The page hears of neither. */
export function messageKey(event: KeyboardEvent, onsend: () => void, onclose: (() => void) | undefined): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    event.stopPropagation();
    onsend();
  } else if (event.key === 'Escape' && onclose !== undefined) {
    event.stopPropagation();
    onclose();
  }
}
