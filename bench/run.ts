import { cpus } from 'node:os';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUpAtExit } from './cleanup.ts';
import { generator } from './load.ts';
import { plotResults } from './plot.ts';
import { logProgress } from './progress.ts';
import { refusalOf } from './refusal.ts';
import { keepFigures, resultsPath } from './results-file.ts';
import type { Effort, Section } from './section.ts';
import { sections } from './sections/index.ts';
import { fixed, table } from './table.ts';

// npm run bench [-- --quick] [-- --only speed,scale]: measures this checkout and prints the tables; the figures also
// go into bench/results/ as JSON. --help lists the sections.

const print = (text: string) => process.stdout.write(`${text}\n`);

const names = sections.map(({ name }) => name);

function help(): string {
  const minutes = (of: (section: Section) => number) =>
    fixed(
      sections.reduce((sum, section) => sum + of(section), 0),
      0,
    );
  const rows = sections.map((section) => [
    section.name,
    section.title,
    fixed(section.minutes.quick, 1),
    fixed(section.minutes.whole, 1),
  ]);
  const all = ['all', '', minutes((section) => section.minutes.quick), minutes((section) => section.minutes.whole)];
  return `bun bench/run.ts [--quick] [--only <section>,…]

--quick  measures less, in a fraction of the time, and leaves the figures and plots of whole runs as they are
--only   runs some of the sections

${table(['section', 'what it measures', 'minutes: quick', 'whole'], [...rows, all])}`;
}

function refuse(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}

function options(): { quick: boolean; wanted: readonly Section[] } {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      print(help());
      process.exit(0);
    }
    const asked = values.only?.split(',') ?? names;
    const unknown = asked.filter((name) => !names.includes(name));
    if (unknown.length > 0) refuse(`There is no section ${unknown.join(', ')}. The sections are ${names.join(', ')}.`);
    return { quick: values.quick, wanted: sections.filter(({ name }) => asked.includes(name)) };
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n\n${help()}`);
  }
}

const { quick, wanted } = options();
const refused = await refusalOf(wanted, quick);
if (refused !== undefined) refuse(refused);

cleanUpAtExit();
const effort: Effort = { quick, rounds: quick ? 3 : 7, seconds: quick ? 1 : 2, connections: 32 };
const machine = `Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}; load by ${generator}, ${effort.connections} connections, ${effort.rounds} rounds of ${effort.seconds} s each in turn`;
print(`${machine}.\n`);

const path = resultsPath(quick);
let drawn: readonly string[] = [];
for (const section of wanted) {
  const expected = quick ? section.minutes.quick : section.minutes.whole;
  logProgress(`${section.name}: ${section.title}, about ${fixed(expected, 1)} minutes`);
  const keep = (figures: unknown) => keepFigures(path, section.name, machine, figures);
  try {
    const { text, figures } = await section.run(effort, keep);
    await keep(figures);
    print(`${text}\n`);
  } catch (error) {
    // The others may still succeed.
    logProgress(`${section.name} failed: ${error instanceof Error ? error.stack : error}`);
    process.exitCode = 1;
  }
  drawn = await plotResults(quick);
}
print(`The figures are in ${relative(process.cwd(), path)}.`);
print(`Drawn: ${drawn.join(', ')}.`);
