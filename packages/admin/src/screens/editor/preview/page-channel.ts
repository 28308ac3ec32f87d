/** What the admin sends to a page that shows a record. */
export type PageMessage =
  | {
      readonly type: 'recto:preview';
      readonly content_type: string;
      readonly id: string | null;
      readonly language?: string;
      readonly record: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'recto:saved'; readonly content_type: string; readonly id: string | null };

export interface PageChannelOptions {
  readonly frame: () => HTMLIFrameElement | undefined;
  /** Where the page is; undefined: none is shown. */
  readonly origin: () => string | undefined;
  /** The page is one of the service in a sandbox, whose origin is `null`. */
  readonly isSandboxed: () => boolean;
  /** The page listens. */
  readonly onready: () => void;
  /** The page asks for a field, with a text that anybody may have made up. */
  readonly onedit: (path: unknown) => void;
}

/**
 * What is said between the admin and the page in its frame. Messages are taken from that frame alone, and from its page's origin alone: a page
 * that the frame has been led to is not heard, and gets nothing. A page in a sandbox has no origin that could be named, so it is
 * sent nothing before it has said that it is there.
 */
export class PageChannel {
  readonly #options: PageChannelOptions;
  #isReady = false;

  constructor(options: PageChannelOptions) {
    this.#options = options;
  }

  /** Whether the page that is loaded now has said that it listens. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Another page is being loaded. */
  reset(): void {
    this.#isReady = false;
  }

  send(message: PageMessage): void {
    const { frame, origin, isSandboxed } = this.#options;
    const target = origin();
    if (target === undefined || (isSandboxed() && !this.#isReady)) return;
    frame()?.contentWindow?.postMessage(message, isSandboxed() ? '*' : target);
  }

  /** A listener of the window. */
  readonly onmessage = ({ source, origin, data }: MessageEvent): void => {
    const { frame, isSandboxed, origin: own, onready, onedit } = this.#options;
    const wanted = isSandboxed() ? 'null' : own();
    if (wanted === undefined || origin !== wanted) return;
    if (source === null || source !== frame()?.contentWindow) return;
    if (typeof data !== 'object' || data === null) return;
    // What the page sends is of no known shape.
    const { type, path } = data as { readonly type?: unknown; readonly path?: unknown };
    if (type === 'recto:ready') {
      this.#isReady = true;
      onready();
    }
    if (type === 'recto:edit') onedit(path);
  };
}
