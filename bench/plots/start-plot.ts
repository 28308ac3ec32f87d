import type { StartFigures } from '../starting.ts';
import { axis, type Chart, colours } from './chart.ts';

/** Start time and memory of one process by the number of types. */
export function startPlot(all: readonly StartFigures[]): Chart {
  // Of several processes, memory would be that of the first.
  const figures = all.filter(({ workers }) => workers === '1');
  const names = figures.map(({ types, fields }) => `${types} types\nof ${fields} fields`);
  const bars = (name: string, place: number, yAxisIndex: number, values: readonly number[]) => ({
    type: 'bar' as const,
    name,
    yAxisIndex,
    barMaxWidth: 34,
    itemStyle: { color: colours[place] ?? colours[0] },
    label: { show: true, position: 'top' as const },
    data: values.map(Math.round),
  });
  return {
    title: 'Start and memory by the number of content types',
    description: figures
      .map(
        ({ types, fields, first, later, mebibytes }) =>
          `${types} types of ${fields} fields: first start ${Math.round(first * 1000)} ms, later ${Math.round(later * 1000)} ms, ${Math.round(mebibytes)} MiB`,
      )
      .join('. '),
    width: 860,
    height: 380,
    option: {
      legend: { bottom: 4 },
      grid: { left: 72, right: 72, top: 56, bottom: 84 },
      xAxis: { type: 'category', data: names, axisLabel: { color: '#24292f' } },
      yAxis: [
        { type: 'value', ...axis('ms to the first answer', 50) },
        { type: 'value', ...axis('resident memory in MiB', 50), splitLine: { show: false } },
      ],
      series: [
        bars(
          'first start, tables are made (ms)',
          0,
          0,
          figures.map(({ first }) => first * 1000),
        ),
        bars(
          'later start (ms)',
          1,
          0,
          figures.map(({ later }) => later * 1000),
        ),
        bars(
          'memory after one second (MiB)',
          2,
          1,
          figures.map(({ mebibytes }) => mebibytes),
        ),
      ],
    },
  };
}
