import type { Snippet } from 'svelte';

/** What a dialog gets. */
export interface DialogProps {
  open?: boolean;
  /** Its accessible name. */
  readonly title: string;
  readonly description?: string | undefined;
  readonly size?: 'small' | 'normal' | 'large' | 'full';
  /** False: only its own buttons close it, not Escape and not a click beside it. */
  readonly dismissable?: boolean;
  readonly onclose?: (() => void) | undefined;
  /** What `Ctrl S` and `Ctrl Enter` do in it. They never reach the page beneath, which would take them for its own. */
  readonly onsave?: (() => void) | undefined;
  readonly children?: Snippet | undefined;
  /** At the bottom: the actions. */
  readonly footer?: Snippet | undefined;
  /** Slides in from the side. Use `Sheet`. */
  readonly side?: boolean;
  /** Gets the focus. Default: the first field, else the first element that can have it. */
  readonly initialFocus?: (() => HTMLElement | undefined) | undefined;
  /** Over all other dialogs, whichever was opened last. */
  readonly isTopmost?: boolean;
}
