import { dirname, join, relative } from 'node:path';

/** Which files import which, type-only imports included; paths are relative to the folder. Tests and fixtures are left out. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const imported = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g;

export async function importGraph(folder: string): Promise<ImportGraph> {
  const files = [...new Bun.Glob('**/*.ts').scanSync(folder)].filter((file) => !/\.(?:test|fixture)\.ts$/.test(file));
  const known = new Set(files);
  const graph = new Map<string, readonly string[]>();
  for (const file of files.toSorted()) {
    const text = await Bun.file(join(folder, file)).text();
    const targets = [...text.matchAll(imported)].map(([, path = '']) =>
      relative(folder, join(folder, dirname(file), path)),
    );
    graph.set(
      file,
      [...new Set(targets)].filter((target) => known.has(target)),
    );
  }
  return graph;
}

/** Imports that the floors do not allow, each as a sentence. */
export function brokenFloors(
  graph: ImportGraph,
  floors: readonly Readonly<Record<string, string>>[],
  rootFiles: readonly string[],
): readonly string[] {
  const floorOf = new Map(floors.flatMap((modules, floor) => Object.keys(modules).map((name) => [name, floor + 1])));
  return [...graph].flatMap(([file, targets]) => {
    if (rootFiles.includes(file)) return [];
    const own = moduleOf(file);
    const floor = floorOf.get(own);
    if (floor === undefined) return [`${file}: the module ${own} is on no floor. Add it to test/support/floors.ts.`];
    return targets.flatMap((target) => {
      const other = moduleOf(target);
      if (other === own || (floorOf.get(other) ?? Number.POSITIVE_INFINITY) < floor) return [];
      const place = floorOf.has(other) ? `floor ${floorOf.get(other)}` : 'no floor';
      return [`${file} imports ${target}: ${own} is on floor ${floor}, and ${other} on ${place}.`];
    });
  });
}

const moduleOf = (file: string): string => file.split('/')[0] ?? '';

/** Groups of files that lead to each other, by Tarjan's algorithm. */
export function circles(graph: ImportGraph): readonly (readonly string[])[] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: (readonly string[])[] = [];
  const visit = (file: string): number => {
    const number = numbers.size;
    numbers.set(file, number);
    lowest.set(file, number);
    open.push(file);
    for (const target of graph.get(file) ?? []) {
      const reached = numbers.has(target) ? (open.includes(target) ? numbers.get(target) : undefined) : visit(target);
      lowest.set(file, Math.min(lowest.get(file) ?? number, reached ?? number));
    }
    const low = lowest.get(file) ?? number;
    if (low === number) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) found.push(group.toSorted());
    }
    return low;
  };
  for (const file of graph.keys()) if (!numbers.has(file)) visit(file);
  return found;
}
