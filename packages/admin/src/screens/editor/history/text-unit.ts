/** A paragraph, heading, list or table of a text: what can be restored alone. */
export interface TextUnit {
  /** The same for units that look the same. */
  readonly key: string;
  /** What the text has for it. All of a text is the sources of its units. */
  readonly source: string;
  readonly lines: readonly TextLine[];
}

/** What a line looks like. */
export type LineLook = 'text' | 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'item' | 'quote' | 'code' | 'row' | 'rule';

export interface TextLine {
  readonly look: LineLook;
  /** How many lists it is inside of. */
  readonly level: number;
  readonly words: readonly Word[];
}

export type Mark = 'strong' | 'em' | 'u' | 's' | 'code' | 'sub' | 'sup' | 'mark' | 'link';

/** A word, space or sign, or a picture. */
export interface Word {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** Of a link: its address. Of a picture: that of the file. */
  readonly address?: string;
  readonly isPicture?: boolean;
}

export const wordKey = ({ text, marks, address = '', isPicture }: Word): string =>
  `${text}\n${marks.join(' ')}\n${address}\n${isPicture === true}`;

export const lineKey = ({ look, level, words }: TextLine): string =>
  `${look} ${level}\n${words.map(wordKey).join('\n')}`;

/** How a text is written. */
export type TextFormat = 'html' | 'plain';
