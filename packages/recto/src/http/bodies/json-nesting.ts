/**
 * Whether JSON text (UTF-8) opens more than `levels` arrays and objects within each other. Looks at brackets outside of strings
 * alone, so that it can be asked before the text is parsed: neither the parser nor what walks the value later then meets
 * a depth that exhausts the stack.
 */
export function nestsDeeperThan(levels: number, text: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const byte = text[index];
    if (inString) {
      if (byte === backslash) index++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) {
      inString = true;
    } else if (byte === openBracket || byte === openBrace) {
      if (++depth > levels) return true;
    } else if (byte === closeBracket || byte === closeBrace) {
      depth--;
    }
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
