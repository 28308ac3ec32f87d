import {
  BarChart,
  type BarSeriesOption,
  CustomChart,
  type CustomSeriesOption,
  LineChart,
  type LineSeriesOption,
  ScatterChart,
  type ScatterSeriesOption,
} from 'echarts/charts';
import {
  GridComponent,
  type GridComponentOption,
  LegendComponent,
  type LegendComponentOption,
  MarkLineComponent,
  type MarkLineComponentOption,
  TitleComponent,
  type TitleComponentOption,
} from 'echarts/components';
import { type ComposeOption, init, setPlatformAPI, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([
  BarChart,
  CustomChart,
  LineChart,
  ScatterChart,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TitleComponent,
  SVGRenderer,
]);

// Without a browser the width of text is unknown. An estimate that is a little too wide fits every font; the library measures line
// height by the width of a Chinese character.
setPlatformAPI({
  measureText: (text, font = '12px') => {
    const size = Number.parseFloat(/[\d.]+px/.exec(font)?.[0] ?? '12');
    return { width: [...text].reduce((width, character) => width + (character > '\u2e80' ? 1.2 : 0.58), 0) * size };
  },
});

export type Series = BarSeriesOption | CustomSeriesOption | LineSeriesOption | ScatterSeriesOption;
type Option = ComposeOption<
  Series | GridComponentOption | LegendComponentOption | MarkLineComponentOption | TitleComponentOption
>;

/** A plot and its text alternative. */
export interface Chart {
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly option: Option;
}

const ink = '#24292f';
const paper = '#ffffff';

/** Distinguishable with any colour vision (M. Okabe, K. Ito, "Color Universal Design", 2008), with 3:1 against white and more. */
export const colours = ['#0072b2', '#c2570c', '#007a5a', '#a3418f', '#6b6100', '#4b5563'] as const;

export const symbols = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect'] as const;

/**
 * The chart as SVG text: on white, so that it reads the same on a dark page, with text as text, and the same for the same
 * figures.
 */
export function drawChart({ title, description, width, height, option }: Chart): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption({
    animation: false,
    silent: true,
    backgroundColor: paper,
    color: [...colours],
    textStyle: { fontFamily: 'Helvetica, Arial, sans-serif', color: ink },
    title: { text: title, left: 'center', top: 8, textStyle: { fontSize: 15, fontWeight: 'bold', color: ink } },
    ...option,
  });
  const drawn = chart.renderToSVGString();
  chart.dispose();
  return described(still(drawn), title, description);
}

/**
 * Removes what the library adds for the mouse, and its counters of charts and elements, which would make a plot depend on those
 * drawn before it.
 */
const still = (svg: string): string =>
  svg
    .replace(/<style\b[\s\S]*?<\/style>\s*/g, '')
    .replace(/ (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g, '')
    .replace(/\bzr\d+-/g, 'zr-');

/** Inserts the elements that describe it (SVG 2, section 5.7) first. */
function described(svg: string, title: string, description: string): string {
  const described = `<title>${escaped(title)}</title>\n<desc>${escaped(description)}</desc>\n`;
  return svg.replace(/^<svg ([^>]*)>\s*/, (_, attributes: string) => `<svg role="img" ${attributes}>\n${described}`);
}

const escaped = (text: string): string => text.replace(/[&<>]/g, (found) => `&#${found.charCodeAt(0)};`);

/** An axis with its name in the middle beside it. */
export const axis = (name: string, gap: number) =>
  ({
    name,
    nameLocation: 'middle',
    nameGap: gap,
    nameTextStyle: { color: ink, fontSize: 12 },
    axisLabel: { color: ink },
    axisLine: { show: true, lineStyle: { color: ink } },
    splitLine: { lineStyle: { color: '#d0d7de' } },
  }) as const;

/** A dashed line for a target, with its name. */
export const askedLine = (place: { readonly xAxis: number } | { readonly yAxis: number }, name: string) =>
  ({
    symbol: 'none',
    lineStyle: { color: '#b42318', type: 'dashed', width: 1.5 },
    label: { formatter: name, color: '#b42318', position: 'start' },
    data: [place],
  }) as const;
