/** A page that nobody sees draws no frames: there it is this long, in milliseconds. */
const longestFrame = 100;

/** What runs after one frame, in the order in which it was asked for. */
interface Frame {
  readonly due: Set<() => void>;
  cancel(): void;
}

/** The frame that is asked for and not drawn yet. */
let next: Frame | undefined;

/**
 * Runs something when the next frame is shown: what need not be in it, so that it comes sooner. Returns what cancels it. All that waits for
 * the same frame shares one request for it: a key that is typed asks several times, before the browser can show it.
 */
export function afterFrame(run: () => void): () => void {
  next ??= requestFrame();
  const frame = next;
  // The same function may be waiting already.
  const own = (): void => run();
  frame.due.add(own);
  return () => {
    if (frame.due.delete(own) && frame.due.size === 0) frame.cancel();
  };
}

function requestFrame(): Frame {
  const due = new Set<() => void>();
  let timer = setTimeout(show, longestFrame);
  // This is called before the frame is drawn; a task that is added here runs after it.
  const request = requestAnimationFrame(() => {
    leave();
    clearTimeout(timer);
    timer = setTimeout(show);
  });
  /** What is asked for from now on waits for another frame. */
  function leave(): void {
    if (next === frame) next = undefined;
  }
  function show(): void {
    leave();
    cancelAnimationFrame(request);
    // One may cancel another.
    for (const run of [...due]) if (due.delete(run)) attempt(run);
  }
  const frame: Frame = {
    due,
    cancel() {
      leave();
      cancelAnimationFrame(request);
      clearTimeout(timer);
    },
  };
  return frame;
}

/** What fails doesn't keep the rest away, and is reported as an error that nobody has caught. */
function attempt(run: () => void): void {
  try {
    run();
  } catch (error) {
    reportError(error);
  }
}
