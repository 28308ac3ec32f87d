import type { MailKind } from './mail-kind.ts';

/** What a mail says. Texts may name values: `{{site}}`. */
export interface MailText {
  readonly subject: string;
  /** Paragraphs before what the mail is about. */
  readonly lines: readonly string[];
  /** The label of the button that leads to `{{link}}`. */
  readonly button?: string;
  /** Shown large: `{{code}}`. */
  readonly code?: string;
  /** Paragraphs after it. */
  readonly after?: readonly string[];
}

export interface MailTexts {
  readonly kinds: Readonly<Record<MailKind, MailText>>;
  /** Before a link that is written out. */
  readonly orOpen: string;
  /** At the end of each mail. */
  readonly from: string;
}
