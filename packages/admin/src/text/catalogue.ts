import type { en } from './en/index.ts';
import type { Message } from './message.ts';
import type { ProblemKey } from './problem-key.ts';

/** The English texts, which all others translate. */
export type EnglishTexts = typeof en;

type Forms = Exclude<Message, string>;

/** All texts of a language but English: a text that is missing, and one that English does not have, are type errors. */
export type Catalogue = {
  readonly [Area in keyof EnglishTexts]: {
    readonly [Name in keyof EnglishTexts[Area]]: EnglishTexts[Area][Name] extends string ? string : Forms;
  };
} & {
  /** What the service says, by its codes. Its own words are English. */
  readonly problems: Readonly<Record<ProblemKey, Message>>;
};
