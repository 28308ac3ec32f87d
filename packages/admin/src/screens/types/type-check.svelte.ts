import { RectoError } from '@recto/client';
import { untrack } from 'svelte';
import { errorText } from '../../api/query.svelte.ts';
import { faultText } from '../../api/service-text.ts';
import { session } from '../../app/session.svelte.ts';
import { serviceText } from '../../text/text.ts';
import type { DraftDefinition } from './definition.ts';

const root = '/admin/content-types';
const pause = 350;

interface Preview {
  readonly singular: string;
  readonly effects: readonly string[];
}

/** What the service says about a draft: what it would do, or what is wrong with it, by path. */
export interface Verdict {
  readonly effects: readonly string[];
  /** The first error at each path; an error of another type has none. */
  readonly errors: ReadonlyMap<string, string>;
  /** Errors that are about no part of the draft. */
  readonly others: readonly string[];
}

export const noVerdict: Verdict = { effects: [], errors: new Map(), others: [] };

/** The dry run of creating (`singular` undefined) or replacing a type. */
export async function dryRun(
  draft: DraftDefinition,
  singular: string | undefined,
  signal?: AbortSignal,
  background = false,
): Promise<Verdict> {
  const [method, path] = singular === undefined ? ['POST', root] : ['PUT', `${root}/${encodeURIComponent(singular)}`];
  try {
    const options = { body: draft, query: { dry_run: true }, background, ...(signal === undefined ? {} : { signal }) };
    const { effects } = await session.client.request<Preview>(method ?? '', path ?? '', options);
    return { ...noVerdict, effects };
  } catch (error) {
    if (signal?.aborted) throw error;
    return verdictOf(error);
  }
}

export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof RectoError)) return { ...noVerdict, others: [errorText(error)] };
  if (error.errors.length === 0) return { ...noVerdict, others: [errorText(error)] };
  const errors = new Map<string, string>();
  const others: string[] = [];
  for (const fault of error.errors) {
    const { field, code } = fault;
    const message = serviceText(`definition_${code}`, {}) ?? faultText(fault);
    if (field === '') others.push(message);
    else if (!errors.has(field)) errors.set(field, message);
  }
  return { effects: [], errors, others };
}

/** Checks a draft with the service, a moment after the last change. Call it while a component is set up. */
export function createCheck(
  options: () => { readonly draft: DraftDefinition; readonly singular: string | undefined; readonly isOn: boolean },
) {
  let verdict = $state.raw(noVerdict);
  let isChecking = $state(false);
  // Each for itself: what is read of the type again, as it was, is nothing to check once more.
  const draft = $derived(options().draft);
  const singular = $derived(options().singular);
  const isOn = $derived(options().isOn);
  $effect(() => {
    const asked = { draft, singular };
    if (!isOn) {
      verdict = noVerdict;
      isChecking = false;
      return;
    }
    const abort = new AbortController();
    untrack(() => {
      isChecking = true;
    });
    const timer = setTimeout(async () => {
      try {
        verdict = await session.inBackground(() => dryRun(asked.draft, asked.singular, abort.signal, true));
        isChecking = false;
      } catch {
        // Another check has begun.
      }
    }, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  });
  return {
    get verdict() {
      return verdict;
    },
    get isChecking() {
      return isChecking;
    },
  };
}
