import { formatDateTime } from '../../../ui/relative-time.ts';

/** Shows the whole time on hover over "2 hours ago". For a list: writing it into hundreds of cells beforehand takes long. */
export function showWholeTime({ target }: Event): void {
  if (!(target instanceof HTMLTimeElement) || target.title !== '') return;
  target.title = formatDateTime(new Date(target.dateTime), 'datetime');
}
