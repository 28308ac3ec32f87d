/** Lines as a documentation comment; empty when there are none. */
export function docComment(lines: readonly (string | undefined)[], indent = ''): string {
  const texts = lines
    .flatMap((line) => (line ?? '').split(/\r\n|[\n\r\u2028\u2029]/))
    .map((line) => line.trim().replaceAll('*/', '*\\/'))
    .filter((line) => line !== '');
  if (texts.length === 0) return '';
  if (texts.length === 1) return `${indent}/** ${texts[0]} */\n`;
  return `${indent}/**\n${texts.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}
