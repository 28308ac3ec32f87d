export type Overlay = 'palette' | 'help';

let open = $state<Overlay | undefined>(undefined);
let text = $state('');

/** What lies over the page at a key's press: one at a time. */
export const overlays = {
  get open(): Overlay | undefined {
    return open;
  },
  /** What the palette searches for. Here, so that it can be typed while the palette is still being loaded. */
  get text(): string {
    return text;
  },
  set text(next: string) {
    text = next;
  },
  toggle(overlay: Overlay): void {
    text = '';
    open = open === overlay ? undefined : overlay;
  },
  close(): void {
    open = undefined;
  },
};
