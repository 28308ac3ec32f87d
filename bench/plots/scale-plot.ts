import type { ScaleDatabase, ScaleFigure } from '../scale.ts';
import { axis, type Chart, symbols } from './chart.ts';

/** Latency on one database over the number of records, both logarithmic: a line that stays level does not grow. */
export function scalePlot(all: readonly ScaleFigure[], database: ScaleDatabase): Chart {
  const figures = all.filter((figure) => figure.database === database);
  const operations = [...new Set(figures.map(({ operation }) => operation))];
  const of = (name: string) =>
    figures.filter(({ operation }) => operation === name).toSorted((a, b) => a.records - b.records);
  return {
    title: `Latency by the number of records, ${database}`,
    description: operations
      .map(
        (name) =>
          `${name}: ${of(name)
            .map(({ records, p50 }) => `${p50} ms of ${records.toLocaleString('en')}`)
            .join(', ')}`,
      )
      .join('. '),
    width: 920,
    height: 520,
    option: {
      legend: { orient: 'vertical', right: 8, top: 'middle', width: 290, textStyle: { fontSize: 11 } },
      grid: { left: 64, right: 330, top: 44, bottom: 56 },
      xAxis: {
        type: 'log',
        ...axis('records', 30),
        axisLabel: { formatter: (value: number) => value.toLocaleString('en') },
      },
      yAxis: { type: 'log', ...axis('median latency in ms, one client', 44) },
      series: operations.map((name, place) => ({
        type: 'line',
        name,
        symbol: symbols[place % symbols.length] ?? 'circle',
        symbolSize: 7,
        lineStyle: { width: 2, type: place < 6 ? 'solid' : 'dashed' },
        data: of(name).map(({ records, p50 }) => [records, p50]),
      })),
    },
  };
}
