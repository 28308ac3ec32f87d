import { anonymousTrend, type MemorySample, type SoakFigures } from '../soak.ts';
import { axis, type Chart, colours, type Series } from './chart.ts';

/** Memory under load over time, with the fitted line. */
export function soakPlot(
  database: string,
  { samples, slope, slopeError, seconds, requestsPerSecond }: SoakFigures,
): Chart {
  const trend = anonymousTrend(samples, seconds);
  const growth = `${slope.toFixed(2)} ± ${slopeError.toFixed(2)} MiB a minute`;
  const line = [seconds / 2, seconds].map((at) => [minutes(at), tenth(trend.start + trend.slope * at)]);
  const course = (pick: (sample: MemorySample) => number): string =>
    `${Math.round(pick(samples[0] ?? none))} to ${Math.round(pick(samples.at(-1) ?? none))} MiB`;
  return {
    title: `Memory of one process under full load, ${database}`,
    description: `Over ${Math.round(seconds)} s at ${Math.round(requestsPerSecond)} requests a second: ${kinds.map(({ name, pick }) => `${name} from ${course(pick)}`).join(', ')}; in the second half the anonymous memory grows by ${growth}.`,
    width: 860,
    height: 380,
    option: {
      legend: { bottom: 4 },
      grid: { left: 64, right: 32, top: 44, bottom: 96 },
      xAxis: { type: 'value', min: 0, max: minutes(seconds), ...axis('minutes of load', 28) },
      yAxis: { type: 'value', min: 0, ...axis('resident memory in MiB', 44) },
      series: [
        ...kinds.map(({ name, color, pick }) =>
          lineOf(
            name,
            color,
            samples.map((sample) => [minutes(sample.at), tenth(pick(sample))]),
          ),
        ),
        lineOf(`anonymous, second half: ${growth}`, colours[1], line, 'dashed'),
      ],
    },
  };
}

const kinds: readonly { name: string; color: string; pick: (sample: MemorySample) => number }[] = [
  { name: 'all', color: colours[5], pick: ({ total }) => total },
  { name: 'anonymous', color: colours[0], pick: ({ anonymous }) => anonymous },
  { name: 'mapped files', color: colours[2], pick: ({ mapped }) => mapped },
  { name: 'cached answers', color: colours[3], pick: ({ cached }) => cached },
];

const none: MemorySample = { at: 0, total: 0, anonymous: 0, mapped: 0, cached: 0 };

const minutes = (at: number): number => Math.round((at / 60) * 1000) / 1000;
const tenth = (value: number): number => Math.round(value * 10) / 10;

const lineOf = (name: string, color: string, data: number[][], type: 'solid' | 'dashed' = 'solid'): Series => ({
  type: 'line',
  name,
  showSymbol: false,
  lineStyle: { width: type === 'solid' ? 1.5 : 2, type, color },
  itemStyle: { color },
  data,
});
