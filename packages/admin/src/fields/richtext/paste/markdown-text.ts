const marks: readonly RegExp[] = [
  /^ {0,3}#{1,6} \S/m,
  /^ {0,3}(?:[-*+]|\d{1,3}[.)]) +\S.*\n+ *(?:[-*+]|\d{1,3}[.)]) +\S/m,
  /^ {0,3}[-*+] +\S/m,
  /^ {0,3}> ?\S/m,
  /^ {0,3}(?:```|~~~)/m,
  /^ *\|? *:?-{3,}:? *\|/m,
  /\[[^\]\n]+\]\((?:https?:|mailto:|\/|#)[^)\s]*\)/,
  /\*\*[^\s*][^*\n]*\*\*/,
];

/** Whether plain text is meant as Markdown: it has marks that nobody writes by chance. */
export const looksLikeMarkdown = (text: string): boolean =>
  text.length < 1_000_000 && marks.some((mark) => mark.test(text));
