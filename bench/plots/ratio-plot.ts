import type { CustomSeriesRenderItemAPI } from 'echarts';
import { type Comparison, median } from '../paired-rounds.ts';
import { axis, type Chart, type Series } from './chart.ts';

/** The comparisons of one database. */
export interface RatioGroup {
  readonly name: string;
  readonly comparisons: readonly Comparison[];
}

/** How close each operation comes to a bare program of the same work: medians, with the least and greatest round, and the target. */
export function ratioPlot(groups: readonly RatioGroup[]): Chart {
  const operations = [...new Set(groups.flatMap(({ comparisons }) => comparisons.map(shortName)))];
  const found = ({ comparisons }: RatioGroup) =>
    operations.map((name) => comparisons.find((one) => shortName(one) === name));
  const targets = operations.map(
    (name) => groups.flatMap(({ comparisons }) => comparisons).find((one) => shortName(one) === name)?.target,
  );
  const series = groups.flatMap((group, place): Series[] => [
    {
      type: 'bar',
      name: group.name,
      barWidth,
      barGap: `${(100 * barSpace) / barWidth}%`,
      label: {
        show: true,
        position: 'insideLeft',
        color: '#ffffff',
        formatter: ({ value }) => (typeof value === 'number' ? value.toFixed(2) : ''),
      },
      data: found(group).map((one) => (one === undefined ? null : rounded(median(one.ratios)))),
    },
    spread(group.name, place, groups.length, found(group)),
  ]);
  return {
    title: 'Requests a second, as a share of a bare program’s',
    description: groups
      .flatMap(({ name, comparisons }) =>
        comparisons.map((one) => `${name}, ${one.operation}: ${rounded(median(one.ratios))}, asked ${one.target}`),
      )
      .join('. '),
    width: 860,
    height: 120 + operations.length * (24 + 18 * groups.length),
    option: {
      legend: { bottom: 4, data: [...groups.map(({ name }) => name), { name: 'asked', icon: 'rect' }] },
      grid: { left: 250, right: 40, top: 44, bottom: 76 },
      xAxis: { type: 'value', ...axis('ratio to the bare program (median; whiskers: least and greatest round)', 30) },
      yAxis: {
        type: 'category',
        data: operations,
        inverse: true,
        axisLabel: { color: '#24292f', width: 235, overflow: 'break' },
      },
      series: [...series, asked(targets)],
    },
  };
}

/** Text in parentheses or after a comma is only for the table. */
const shortName = ({ operation }: Comparison): string => operation.replace(/,? (of [\d,]+ )?with total$/, '');

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** In pixels. */
const barWidth = 14;
const barSpace = 3;

/** The half height of a whisker's end, in pixels. */
const cap = 3;

/** A whisker over each bar, at the place that the bar has among those of the other groups. */
function spread(name: string, place: number, groups: number, comparisons: readonly (Comparison | undefined)[]): Series {
  return {
    type: 'custom',
    name,
    z: 5,
    data: comparisons.flatMap((one, index) =>
      one === undefined ? [] : [[Math.min(...one.ratios), Math.max(...one.ratios), index]],
    ),
    encode: { x: [0, 1], y: 2 },
    renderItem: (_, api) => {
      const [from, to] = [pointOf(api, 0), pointOf(api, 1)];
      const y = from.y + (place - (groups - 1) / 2) * (barWidth + barSpace);
      const line = (x1: number, y1: number, x2: number, y2: number) => ({
        type: 'line' as const,
        shape: { x1, y1, x2, y2 },
        style: { stroke: '#24292f', lineWidth: 1.5 },
      });
      return {
        type: 'group',
        children: [
          line(from.x, y, to.x, y),
          line(from.x, y - cap, from.x, y + cap),
          line(to.x, y - cap, to.x, y + cap),
        ],
      };
    },
  };
}

function pointOf(api: CustomSeriesRenderItemAPI, dimension: number): { readonly x: number; readonly y: number } {
  const [x = 0, y = 0] = api.coord([api.value(dimension), api.value(2)]);
  return { x, y };
}

/** A line through the bars of each operation at its target ratio. */
function asked(targets: readonly (number | undefined)[]): Series {
  return {
    type: 'custom',
    name: 'asked',
    itemStyle: { color: '#b42318' },
    z: 6,
    data: targets.flatMap((target, index) => (target === undefined ? [] : [[target, target, index]])),
    encode: { x: 0, y: 2 },
    renderItem: (_, api) => {
      const { x, y } = pointOf(api, 0);
      return {
        type: 'line',
        shape: { x1: x, y1: y - 20, x2: x, y2: y + 20 },
        style: { stroke: '#b42318', lineWidth: 2, lineDash: [4, 3] },
      };
    },
  };
}
