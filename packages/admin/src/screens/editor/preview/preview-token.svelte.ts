import { RectoError } from '@recto/client';
import { type AskedPreview, type MadePreview, previewRoutes } from '../../../api/preview-routes.ts';

/** A token is renewed so long before it ends, in milliseconds. */
const early = 5 * 60 * 1000;

/** The token with which the page beside a form shows its record. Another one is made when something else is to be shown, and before it ends. */
export class PreviewToken {
  /** Undefined: none is there yet. */
  made = $state.raw<MadePreview>();
  /** Why there is none: the service refuses it, or cannot be reached. */
  failure = $state.raw<'refused' | 'failed'>();
  #stop: (() => void) | undefined;

  /** Makes a token for what is to be shown; the one before stays until it is there. */
  ask(asked: AskedPreview): void {
    this.#stop?.();
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.#stop = () => {
      ending.abort();
      clearTimeout(timer);
    };
    const make = async (): Promise<void> => {
      try {
        const made = await previewRoutes.make(asked, ending.signal);
        if (ending.signal.aborted) return;
        this.made = made;
        this.failure = undefined;
        timer = setTimeout(make, Math.max(60_000, Date.parse(made.expires_at) - Date.now() - early));
      } catch (error) {
        if (ending.signal.aborted) return;
        this.made = undefined;
        this.failure = error instanceof RectoError && error.status >= 400 && error.status < 500 ? 'refused' : 'failed';
      }
    };
    void make();
  }

  end(): void {
    this.#stop?.();
  }
}
