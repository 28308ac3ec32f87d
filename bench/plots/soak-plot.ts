import type { SoakFigures } from '../soak.ts';
import { trendOf } from '../trend.ts';
import { axis, type Chart, colours } from './chart.ts';

/** Memory under load over time, with the line that its slope is of. */
export function soakPlot({ samples, slope, slopeError, seconds, requestsPerSecond }: SoakFigures): Chart {
  const later = samples.filter(({ at }) => at > seconds / 2);
  const trend = trendOf(later);
  const told = `${slope.toFixed(2)} ± ${slopeError.toFixed(2)} MiB a minute`;
  const minutes = (at: number): number => Math.round((at / 60) * 1000) / 1000;
  const line = [seconds / 2, seconds].map((at) => [
    minutes(at),
    Math.round((trend.start + trend.slope * at) * 10) / 10,
  ]);
  return {
    title: 'Memory of one process under full load',
    description: `Resident memory over ${Math.round(seconds)} s at ${Math.round(requestsPerSecond)} requests a second, from ${Math.round(samples[0]?.value ?? 0)} to ${Math.round(samples.at(-1)?.value ?? 0)} MiB; in the second half it grows by ${told}.`,
    width: 860,
    height: 360,
    option: {
      legend: { bottom: 4 },
      grid: { left: 64, right: 32, top: 44, bottom: 80 },
      xAxis: { type: 'value', min: 0, max: minutes(seconds), ...axis('minutes of load', 28) },
      yAxis: { type: 'value', min: 0, ...axis('resident memory in MiB', 44) },
      series: [
        {
          type: 'line',
          name: 'resident memory',
          showSymbol: false,
          lineStyle: { width: 1.5, color: colours[0] },
          data: samples.map(({ at, value }) => [minutes(at), Math.round(value * 10) / 10]),
        },
        {
          type: 'line',
          name: `second half: ${told}`,
          showSymbol: false,
          lineStyle: { width: 2, type: 'dashed', color: colours[1] },
          itemStyle: { color: colours[1] },
          data: line,
        },
      ],
    },
  };
}
