/** What rules of RaisFast may be written differently. */
export interface RuleNames {
  /** Names of columns, and what the fields are called here. */
  readonly columns: ReadonlyMap<string, string>;
}

/** Strings, variables, paths, and equality by two signs. What is in strings stays. */
const parts =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|@[A-Za-z0-9_.-]*|[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*|===?/g;

/** A rule of RaisFast as a rule of this service. What has no meaning here stays, for the check of rules to report. */
export const raisfastRule = (rule: string, { columns }: RuleNames): string =>
  rule.replace(parts, (part) => {
    if (part === '==' || part === '===') return '=';
    if (part.startsWith('@auth.')) return `@request.${part.slice(1)}`;
    if (/^["'@]/.test(part)) return part;
    const [column = ''] = part.split('.');
    return `${columns.get(column) ?? column}${part.slice(column.length)}`;
  });
