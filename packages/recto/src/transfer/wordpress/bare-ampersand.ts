/** A position in a file, both counted from 1. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Finds the `&` that begins no entity. The XML parser reads on to the next `;`, however far away, and reports that position.
 * Buffers the text since the last tag, as the parser itself does.
 */
export class BareAmpersand {
  #text = '';
  /** How many characters of the file come before the text. */
  #start = 0;
  #tagEnd = { position: 0, line: 1, column: 0 };

  /** Call with each piece before the parser reads it. */
  write(piece: string): void {
    this.#text = this.#text.slice(this.#tagEnd.position - this.#start) + piece;
    this.#start = this.#tagEnd.position;
  }

  /** Call when the parser has read a complete tag, comment or section; `column` is how many characters of the line come before. */
  passed(position: number, line: number, column: number): void {
    this.#tagEnd = { position, line, column };
  }

  /** The first one since the last call of that; undefined for none. */
  find(): FilePlace | undefined {
    const { position, line, column } = this.#tagEnd;
    const text = this.#text.slice(position - this.#start);
    for (const match of text.matchAll(sections)) {
      if (match[0] !== '&') continue;
      const lines = text.slice(0, match.index).split(/\r\n|\r|\n/);
      const within = [...(lines.at(-1) ?? '')].length + 1;
      return { line: line + lines.length - 1, column: lines.length === 1 ? column + within : within };
    }
    return undefined;
  }
}

/** Matches a section that may contain any `&`, to its end or that of the text; or an `&` that begins no entity. */
const sections =
  /<!\[CDATA\[.*?(?:\]\]>|$)|<!--.*?(?:-->|$)|<\?.*?(?:\?>|$)|&(?!#\d+;|#x[\da-f]+;|[\p{L}_:][\p{L}\p{N}_:.-]*;)/gisu;
