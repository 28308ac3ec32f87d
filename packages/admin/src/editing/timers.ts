import { afterFrame } from '../ui/after-frame.ts';

/** The clock, so that tests can have one of their own. */
export interface Timers {
  now(): number;
  /** Calls back later. Returns what cancels it. */
  after(milliseconds: number, run: () => void): () => void;
  /** Calls back when the next frame is shown. Returns what cancels it. */
  afterFrame(run: () => void): () => void;
}

export const realTimers: Timers = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
  afterFrame,
};
