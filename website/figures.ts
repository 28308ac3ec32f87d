/** A row of the table on the first page. */
export interface Figure {
  readonly operation: string;
  readonly perSecond: string;
  /** The share of what a bare program reaches that does the same work. */
  readonly ratio: string;
  readonly milliseconds: string;
}

/** The operations that the first page shows, by their names in the document on performance, with plainer ones. */
const shown: Readonly<Record<string, string>> = {
  'cached list of 20': 'List of 20, cached',
  'uncached get': 'Read by id, uncached',
  'list with two relations': 'List with two relations',
  'durable create': 'Create, acknowledged after fsync',
};

/** The figures of the first page, as the document on performance has them for SQLite. Throws where it has none. */
export function figuresOf(performance: string): readonly Figure[] {
  const [, table = ''] = /^On SQLite:\n\n([\s\S]*?)\n\n/m.exec(performance) ?? [];
  const [header = [], , ...rows] = table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const column = (row: readonly string[], name: string): string => row[header.indexOf(name)] ?? '';
  return Object.entries(shown).map(([name, operation]) => {
    const row = rows.find(([first]) => first === name);
    if (row === undefined) throw new Error(`docs/performance.md has no figures of "${name}".`);
    const milliseconds = column(row, 'p50 ms');
    return { operation, perSecond: column(row, 'requests/s'), ratio: column(row, 'ratio'), milliseconds };
  });
}
