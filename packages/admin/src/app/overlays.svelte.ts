export type Overlay = 'palette' | 'help';

let open = $state<Overlay | undefined>(undefined);

/** What lies over the page at a key's press: one at a time. */
export const overlays = {
  get open(): Overlay | undefined {
    return open;
  },
  toggle(overlay: Overlay): void {
    open = open === overlay ? undefined : overlay;
  },
  close(): void {
    open = undefined;
  },
};
