import { isUnreadable } from './unreadable.ts';

/** The text in a control whose values are no texts: what was typed, for as long as it stands for the field's value. */
export interface TypedText {
  readonly text: string;
  /** Keeps what was typed, with the value that it was reported as. */
  put(text: string, value: unknown): void;
  /** Shows the value in its usual form again. */
  settle(): void;
}

/**
 * While someone types `8.50`, the value is `8.5`, and the control still shows what was typed. A value that comes from elsewhere
 * shows in the usual form.
 */
export function typedText(
  value: () => unknown,
  format: (value: unknown) => string,
  isSame: (a: unknown, b: unknown) => boolean = Object.is,
): TypedText {
  let typed = $state.raw<{ readonly text: string; readonly value: unknown }>();
  return {
    get text() {
      const current = value();
      if (isUnreadable(current)) return current.$unreadable;
      return typed !== undefined && isSame(typed.value, current) ? typed.text : format(current ?? '');
    },
    put(text, reported) {
      typed = { text, value: reported };
    },
    settle() {
      typed = undefined;
    },
  };
}
