/** Lines as a documentation comment; empty when there are none. */
export function docComment(lines: readonly (string | undefined)[], indent = ''): string {
  const told = lines
    .flatMap((line) => (line ?? '').split(/\r\n|[\n\r\u2028\u2029]/))
    .map((line) => line.trim().replaceAll('*/', '*\\/'))
    .filter((line) => line !== '');
  if (told.length === 0) return '';
  if (told.length === 1) return `${indent}/** ${told[0]} */\n`;
  return `${indent}/**\n${told.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}
