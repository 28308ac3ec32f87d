import './head-in-view.css';

/** Keeps the head of the table in this frame in view, also where the columns need more width than there is. */
export function headInView(frame: HTMLElement): () => void {
  const table = frame.querySelector('table');
  const observer = new ResizeObserver(() => {
    frame.classList.toggle('wide', (table?.offsetWidth ?? 0) > frame.clientWidth);
    frame.style.setProperty('--table-height', `${table?.offsetHeight}px`);
  });
  observer.observe(frame);
  if (table !== null) observer.observe(table);
  return () => observer.disconnect();
}
