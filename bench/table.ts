/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const fixed = (value: number, digits = 2): string => value.toFixed(digits);

export const whole = (value: number): string => Math.round(value).toLocaleString('en');
