export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'success' | 'error' | 'info';
  readonly action?: { readonly label: string; readonly run: () => void };
  readonly link?: { readonly label: string; readonly href: string } | undefined;
  readonly about?: string | undefined;
}

export interface ToastOptions {
  readonly kind?: Toast['kind'];
  /** The way back, such as "Undo". */
  readonly action?: Toast['action'];
  /** A page outside of the admin, which is opened beside it. */
  readonly link?: Toast['link'];
  /** What it is about: it takes the place of an older message about the same. */
  readonly about?: string;
}

let shown = $state.raw<readonly Toast[]>([]);
let last = 0;

/** The messages at the edge of the page, oldest first. */
export const toasts = {
  get shown(): readonly Toast[] {
    return shown;
  },
};

export function dismiss(id: number): void {
  shown = shown.filter((each) => each.id !== id);
}

/** Takes a message away that is no longer true. */
export function dismissAbout(about: string): void {
  if (shown.some((each) => each.about === about)) shown = shown.filter((each) => each.about !== about);
}

/** Says what happened. It is announced to screen readers, and stays as long as the pointer or the focus is on it; errors stay. */
export function toast(text: string, { kind = 'success', action, link, about }: ToastOptions = {}): void {
  last += 1;
  const others = shown.filter((each) => about === undefined || each.about !== about);
  shown = [...others.slice(-3), { id: last, text, kind, about, link, ...(action === undefined ? {} : { action }) }];
}
