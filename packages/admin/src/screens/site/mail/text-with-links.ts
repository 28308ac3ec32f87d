export interface TextPart {
  readonly text: string;
  readonly isLink: boolean;
}

/** The text of a mail in parts: addresses of the web are links, and nothing else is. */
export const textWithLinks = (text: string): readonly TextPart[] =>
  text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/)
    .map((part, index) => ({ text: part, isLink: index % 2 === 1 }))
    .filter((part) => part.text !== '');
