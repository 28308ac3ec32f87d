import type { FormLanguage } from '../field.ts';

/** What both editors of rich text get. */
export interface EditorProps {
  readonly id: string;
  /** The accessible name of the textbox. */
  readonly label: string;
  readonly text: string;
  /** It is written in as on a page: without a box, and as long as it is. */
  readonly isPage: boolean;
  readonly disabled: boolean;
  /** The language that it is written in, where it has one of its own. */
  readonly written: FormLanguage | undefined;
  readonly required: boolean;
  readonly placeholder: string | undefined;
  readonly invalid: boolean;
  readonly describedBy: string | undefined;
  /** Where ids cannot be referred to. */
  readonly error: string | undefined;
  readonly onchange: (text: string | null) => void;
  readonly onblur: (() => void) | undefined;
}
