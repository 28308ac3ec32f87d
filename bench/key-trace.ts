import type { Browser, Page } from 'playwright-core';

/** An event of the browser's trace, as far as it is read here. Times are microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread. */
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly type?: string } };
}

/** What one key takes of the page's thread, in milliseconds of processor time: from the event to the end of the frame that shows it. */
export interface KeyCost {
  /** Script of the page, with what the browser does because script asked for it. */
  readonly script: number;
  readonly layout: number;
  readonly paint: number;
  readonly all: number;
}

const kinds: Readonly<Record<string, Exclude<keyof KeyCost, 'all'>>> = {
  FunctionCall: 'script',
  EvaluateScript: 'script',
  RunMicrotasks: 'script',
  Layout: 'layout',
  UpdateLayoutTree: 'layout',
  PrePaint: 'paint',
  Paint: 'paint',
  Layerize: 'paint',
  'ProxyMain::BeginMainFrame::commit': 'paint',
};

/** Presses keys in a page while the browser writes a trace, and returns what each of them took. */
export async function keyCosts(browser: Browser, page: Page, press: () => Promise<void>): Promise<readonly KeyCost[]> {
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    // The protocol says no more than that they are objects; these are the fields that the trace format has.
    for (const event of value) events.push(event as unknown as TraceEvent);
  });
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', 'cc'], excludedCategories: ['*'] },
  });
  await press();
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  return costsOf(events);
}

const isKey = ({ name, args }: TraceEvent): boolean => name === 'EventDispatch' && args?.data?.type === 'keydown';

/** The costs on the thread that dispatched the keys. */
function costsOf(events: readonly TraceEvent[]): readonly KeyCost[] {
  const first = events.find(isKey);
  if (first === undefined) return [];
  const own = events
    .filter(({ ph, pid, tid }) => ph === 'X' && pid === first.pid && tid === first.tid)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const selves = selfTimes(own);
  const commits = own.filter(({ name }) => name === 'ProxyMain::BeginMainFrame::commit');
  return own.filter(isKey).flatMap((key) => {
    const commit = commits.find(({ ts }) => ts > key.ts);
    if (commit === undefined) return [];
    const end = commit.ts + (commit.dur ?? 0);
    const cost = { script: 0, layout: 0, paint: 0, all: 0 };
    for (const [event, self] of selves) {
      if (event.ts < key.ts || event.ts >= end) continue;
      const kind = kinds[event.name];
      if (kind !== undefined) cost[kind] += self / 1000;
      cost.all += self / 1000;
    }
    return [cost];
  });
}

/** The processor time of each event without that of the events in it. */
function selfTimes(events: readonly TraceEvent[]): ReadonlyMap<TraceEvent, number> {
  const selves = new Map<TraceEvent, number>();
  const open: TraceEvent[] = [];
  for (const event of events) {
    const isOver = ({ ts, dur = 0 }: TraceEvent): boolean => ts + dur <= event.ts;
    for (let outer = open.at(-1); outer !== undefined && isOver(outer); outer = open.at(-1)) open.pop();
    const outer = open.at(-1);
    const took = event.tdur ?? event.dur ?? 0;
    selves.set(event, took);
    if (outer !== undefined) selves.set(outer, (selves.get(outer) ?? 0) - took);
    open.push(event);
  }
  return selves;
}
