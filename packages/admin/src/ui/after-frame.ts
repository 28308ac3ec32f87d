/** A page that nobody sees draws no frames: there it is this long, in milliseconds. */
const longestFrame = 100;

/** Runs something when the next frame is shown: what need not be in it, so that it comes sooner. Returns what cancels it. */
export function afterFrame(run: () => void): () => void {
  let timer = setTimeout(run, longestFrame);
  // This is called before the frame is drawn; a task that is added here runs after it.
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
