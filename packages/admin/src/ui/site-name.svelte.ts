const place = 'recto.site-name';

/** Kept in this browser, so that a page is drawn with it. Storage may be closed to us. */
function kept(): string {
  try {
    return localStorage.getItem(place) ?? 'Recto';
  } catch {
    return 'Recto';
  }
}

let name = $state(kept());

/** The name of the site, as the service last gave it. Reactive. */
export const siteName = {
  get value(): string {
    return name;
  },
};

/** Takes the name that the service gives. */
export function setSiteName(next: string): void {
  if (next === name) return;
  name = next;
  try {
    localStorage.setItem(place, next);
  } catch {
    // It lasts as long as the page.
  }
}
