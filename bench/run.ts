import { cpus } from 'node:os';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { generator } from './load.ts';
import { plotResults } from './plot.ts';
import { keepFigures, resultsPath } from './results-file.ts';
import type { Effort } from './section.ts';
import { sections } from './sections/index.ts';

// npm run bench [-- --quick] [-- --only speed,scale]: measures this checkout and prints the tables; the figures also
// go into bench/results/ as JSON.

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } });
const { quick } = values;
const print = (text: string) => process.stdout.write(`${text}\n`);

const names = sections.map(({ name }) => name);
const wanted = values.only?.split(',') ?? names;
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  print(`There is no section ${unknown.join(', ')}. The sections are ${names.join(', ')}.`);
  process.exit(2);
}

const effort: Effort = { quick, rounds: quick ? 3 : 7, seconds: quick ? 1 : 2, connections: 32 };
const machine = `Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}; load by ${generator}, ${effort.connections} connections, ${effort.rounds} rounds of ${effort.seconds} s each in turn`;
print(`${machine}.\n`);

for (const section of sections) {
  if (!wanted.includes(section.name)) continue;
  const { text, figures } = await section.run(effort);
  print(`${text}\n`);
  await keepFigures(section.name, machine, figures);
}
print(`The figures are in ${relative(process.cwd(), resultsPath)}.`);
// Figures of a quick run are for whoever runs it.
if (!quick) print(`Drawn: ${(await plotResults()).join(', ')}.`);
