import type { Comparison } from '../paired-rounds.ts';
import type { Results } from '../results-file.ts';
import type { ScaleDatabase, ScaleFigure } from '../scale.ts';
import type { SoakFigures } from '../soak.ts';
import type { StartFigures } from '../starting.ts';
import { type Chart, drawChart } from './chart.ts';
import { type BesideFigure, neighbourPlot } from './neighbour-plot.ts';
import { ratioPlot } from './ratio-plot.ts';
import { scalePlot } from './scale-plot.ts';
import { soakPlot } from './soak-plot.ts';
import { startPlot } from './start-plot.ts';

/** The figures by section name. */
interface Figures {
  readonly speed: readonly Comparison[];
  readonly 'speed-postgres': readonly Comparison[];
  readonly scale: readonly ScaleFigure[];
  readonly 'scale-postgres': readonly ScaleFigure[];
  readonly start: readonly StartFigures[];
  readonly soak: SoakFigures;
  readonly 'soak-postgres': SoakFigures;
  readonly neighbour: readonly BesideFigure[];
}

export interface DrawnPlot {
  /** The name of its file. */
  readonly file: string;
  readonly svg: string;
}

/** The plots of the sections that have been run. */
export function drawPlots(results: Results): readonly DrawnPlot[] {
  const of = <Name extends keyof Figures>(section: Name): Figures[Name] | undefined =>
    // Only a section of that name stores figures under it.
    results[section]?.figures as Figures[Name] | undefined;
  const drawn = (file: string, chart: Chart | undefined): DrawnPlot[] =>
    chart === undefined ? [] : [{ file, svg: drawChart(chart) }];
  const made = <T>(figures: T | undefined, plot: (figures: T) => Chart): Chart | undefined =>
    figures === undefined ? undefined : plot(figures);
  const speeds = [
    { name: 'SQLite', comparisons: of('speed') ?? [] },
    { name: 'PostgreSQL', comparisons: of('speed-postgres') ?? [] },
  ].filter(({ comparisons }) => comparisons.length > 0);
  const scaleOn = (section: 'scale' | 'scale-postgres', database: ScaleDatabase) =>
    made(of(section), (figures) => scalePlot(figures, database));
  return [
    ...drawn('ratio.svg', speeds.length === 0 ? undefined : ratioPlot(speeds)),
    ...drawn('scale.svg', scaleOn('scale', 'SQLite')),
    ...drawn('scale-postgres.svg', scaleOn('scale-postgres', 'PostgreSQL')),
    ...drawn('start.svg', made(of('start'), startPlot)),
    ...drawn(
      'soak.svg',
      made(of('soak'), (figures) => soakPlot('SQLite', figures)),
    ),
    ...drawn(
      'soak-postgres.svg',
      made(of('soak-postgres'), (figures) => soakPlot('PostgreSQL', figures)),
    ),
    ...drawn('neighbour.svg', made(of('neighbour'), neighbourPlot)),
  ];
}
