import type { CustomSeriesRenderItemAPI } from 'echarts';
import { askedLine, axis, type Chart, colours, type Series } from './chart.ts';

/** Latencies of gets by id in one situation, in milliseconds. */
export interface BesideFigure {
  readonly workers: number;
  readonly neighbour: string;
  readonly gets: { readonly p50: number; readonly p99: number };
}

/** The target for a get at the 99th percentile, in milliseconds. */
const askedMs = 20;

/** Gets by id beside neighbours that keep the service busy. */
export function neighbourPlot(figures: readonly BesideFigure[]): Chart {
  const points = (name: 'p50' | 'p99', colour: string, more: object = {}): Series => ({
    type: 'scatter',
    name,
    symbol: name === 'p50' ? 'circle' : 'diamond',
    symbolSize: name === 'p50' ? 10 : 13,
    itemStyle: { color: colour },
    label: { show: true, position: name === 'p50' ? 'left' : 'right', formatter: ({ value }) => labelOf(value) },
    data: figures.map(({ gets }, row) => [gets[name], row]),
    ...more,
  });
  return {
    title: 'Gets by id beside busy neighbours',
    description: figures.map(sentence).join('. '),
    width: 860,
    height: 140 + figures.length * 34,
    option: {
      legend: { bottom: 4, itemGap: 24, data: ['p50', 'p99'] },
      grid: { left: 250, right: 56, top: 64, bottom: 76 },
      xAxis: { type: 'log', ...axis('latency in ms', 28) },
      yAxis: {
        type: 'category',
        inverse: true,
        data: figures.map(situation),
        axisLabel: { color: '#24292f', width: 235, overflow: 'break' },
      },
      series: [
        reach(figures),
        points('p50', colours[0]),
        points('p99', colours[1], { markLine: askedLine({ xAxis: askedMs }, `${askedMs} ms`) }),
      ],
    },
  };
}

const plain = (name: string): string => name.replaceAll('`', '');

const situation = ({ workers, neighbour }: BesideFigure): string =>
  `${plain(neighbour)}\n${workers === 1 ? 'one process' : `${workers} workers`}`;

const sentence = ({ workers, neighbour, gets }: BesideFigure): string =>
  `Beside ${plain(neighbour)}, ${workers === 1 ? 'one process' : `${workers} workers`}: p50 ${gets.p50.toFixed(2)} ms, p99 ${gets.p99.toFixed(2)} ms`;

const labelOf = (value: unknown): string => {
  const milliseconds = Array.isArray(value) ? Number(value[0]) : Number.NaN;
  return milliseconds.toFixed(milliseconds < 1 ? 2 : 1);
};

/** A line from p50 to p99 of each situation. */
const reach = (figures: readonly BesideFigure[]): Series => ({
  type: 'custom',
  data: figures.map(({ gets }, row) => [gets.p50, gets.p99, row]),
  encode: { x: [0, 1], y: 2 },
  renderItem: (_, api) => {
    const at = (dimension: number): readonly number[] => pixelOf(api, dimension);
    const [[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]] = [at(0), at(1)];
    return { type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: '#8c959f', lineWidth: 2 } };
  },
});

const pixelOf = (api: CustomSeriesRenderItemAPI, dimension: number): readonly number[] =>
  api.coord([api.value(dimension), api.value(2)]);
