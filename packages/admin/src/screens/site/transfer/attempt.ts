import { errorText, invalidate } from '../../../api/query.svelte.ts';
import { toast } from '../../../ui/toasts.svelte.ts';

/** Does something with imports or exports, says what came of it, and shows them as they are then. */
export async function attempt(what: 'imports' | 'exports', work: () => Promise<unknown>, done?: string): Promise<void> {
  try {
    await work();
    if (done !== undefined) toast(done);
  } catch (error) {
    toast(errorText(error), { kind: 'error' });
  }
  invalidate([what]);
}
