import type { AuthenticatedCaller } from '../base/caller.ts';
import { Problem } from '../base/problem.ts';
import type { Transaction } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import type { VisibilityParams } from '../query/read-view.ts';
import type { HeldChanges, MadeChange } from '../records/drafts/held-changes.ts';
import type { Records } from '../records/records.ts';
import { sharesState, statePayload } from './item-action.ts';
import { inItemLanguage } from './item-language.ts';
import type { ReleaseItem, ReleaseProblem } from './release.ts';
import { mayPassLater, ofRelease, problemsOf } from './release-problems.ts';

/** Items of a release, and whose rights publish them. */
export interface RunAsked {
  readonly release: string;
  readonly items: readonly ReleaseItem[];
  readonly caller: AuthenticatedCaller;
}

/** What publishing has come to: what was made of each record, or everything that speaks against it. */
export interface RunResult {
  readonly made: readonly Pick<ReleaseItem, 'id' | 'record' | 'made'>[];
  readonly problems: readonly ReleaseProblem[];
}

/** A release that is ready for its transaction, which may run more than once. */
export interface PreparedRun {
  /** All types that it writes to. */
  readonly types: readonly ContentType[];
  run(transaction: Transaction): Promise<RunResult>;
}

interface Step {
  readonly item: ReleaseItem;
  run(transaction: Transaction): Promise<MadeChange | undefined>;
}

interface Preparing {
  readonly held: HeldChanges;
  readonly caller: AuthenticatedCaller;
  readonly removals: Map<ContentType, ReturnType<HeldChanges['prepareRemovals']>>;
}

/** Prepares the changes of all items, each as an ordinary request for its record would make it. */
export async function prepareRun(records: Records, { release, items, caller }: RunAsked): Promise<PreparedRun> {
  const by: AuthenticatedCaller = { ...caller, via: { kind: 'release', release } };
  const removals: Preparing['removals'] = new Map();
  const held = new Map<Records, Promise<HeldChanges>>();
  const heldIn = (own: Records): Promise<HeldChanges> => {
    const found = held.get(own) ?? own.heldChanges();
    held.set(own, found);
    return found;
  };
  const places = new Map(items.map(({ id }, place) => [id, place]));
  const known = new Set<ContentType>();
  const wrong: ReleaseProblem[] = items.length === 0 ? [ofRelease('empty', 'There is nothing in this release.')] : [];
  const steps: Step[] = [];
  for (const item of inOrder(items)) {
    const type = records.types.find(item.type);
    const spoken = inItemLanguage(records, item, by);
    if (type === undefined || spoken === undefined) {
      wrong.push(goneProblem(item, type));
      continue;
    }
    known.add(type);
    try {
      const { caller: speaker, type: shown } = spoken;
      const preparing = { held: await heldIn(spoken.records), caller: speaker, removals };
      steps.push({ item, run: await stepOf(preparing, shown, item) });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // References to records of the same release were looked for before these were there.
      const found = problemsOf(item, error);
      const others = found.filter(({ code }) => code !== 'unknown_record');
      wrong.push(...(others.length === 0 ? found : others));
    }
  }
  return {
    types: [...known],
    run: async (transaction) => {
      const { made, problems } = await runSteps(transaction, steps);
      const place = (id: string | null): number => (id === null ? -1 : (places.get(id) ?? -1));
      const all = [...wrong, ...problems].toSorted((a, b) => place(a.item) - place(b.item));
      return { made, problems: all };
    },
  };
}

/** What speaks against an item whose type, or whose language, the service no longer has. */
function goneProblem(
  { id, type: singular, record, language }: ReleaseItem,
  type: ContentType | undefined,
): ReleaseProblem {
  const of = { item: id, type: singular, record, field: '' };
  if (type === undefined)
    return { ...of, code: 'unknown_type', message: `There is no content type ${JSON.stringify(singular)} any more.` };
  const message = `Records of ${singular} have no language ${JSON.stringify(language)} any more.`;
  return { ...of, code: 'unknown_language', message };
}

const isRefusal = (error: unknown): error is Problem => error instanceof Problem && error.status < 500;

async function stepOf(
  { held, caller, removals }: Preparing,
  type: ContentType,
  item: ReleaseItem,
): Promise<Step['run']> {
  const { id, record, action, changes, base, kept } = item;
  const of = { type, caller, kept: kept?.values ?? {} };
  if (record === null) return held.prepareNew({ ...of, id, values: { ...changes, ...statePayload(type, action) } });
  if (kept?.creates === true) return held.prepareNew({ ...of, id: record, values: changes });
  if (action === 'delete' && type.shownIn !== undefined)
    return (transaction) => held.removeLanguage(transaction, { type, caller, id: record, base });
  if (action === 'delete') {
    const remove = removals.get(type) ?? held.prepareRemovals(type, caller);
    removals.set(type, remove);
    return (transaction) => remove(transaction, { id: record, base });
  }
  const state = statePayload(type, action);
  const due = { ...of, id: record, base, changes: kept === null ? { ...changes, ...state } : changes };
  const restoring = kept === null ? undefined : restoringOf(type, kept.values);
  if (restoring !== undefined) return (transaction) => held.change(transaction, { ...due, ...restoring });
  const isPublished = action === 'publish' && Object.keys(state).length > 0;
  // Where languages share the state of their record, it is published in the default one.
  const needsPublished = kept === null && sharesState(type);
  return (transaction) => held.change(transaction, { ...due, needsPublished, ...(isPublished ? { action } : {}) });
}

/** How a record that is marked as deleted is found and brought back; undefined: that is not what the values do. */
function restoringOf(
  type: ContentType,
  values: ReleaseItem['changes'],
): { action: string; among: VisibilityParams } | undefined {
  const actions = type.protocols.flatMap(({ protocol, options }) => protocol.actions?.(options) ?? []);
  const restore = actions.find(({ name, input }) => name === 'restore' && input === undefined);
  if (restore?.among === undefined || values.deleted_at !== null) return undefined;
  return { action: restore.name, among: new Map(Object.entries(restore.among)) };
}

/** New records, each behind those that it leads to, then changes, those in the default language first, then removals. */
function inOrder(items: readonly ReleaseItem[]): readonly ReleaseItem[] {
  const fresh = new Map(
    items.flatMap((item) =>
      item.record === null || item.kept?.creates === true ? [[item.record ?? item.id, item]] : [],
    ),
  );
  const ordered: ReleaseItem[] = [];
  const seen = new Set<string>();
  const visit = (id: string, item: ReleaseItem): void => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const [found] of JSON.stringify(item.changes).matchAll(idsInText)) {
      const other = fresh.get(found);
      if (other !== undefined) visit(found, other);
    }
    ordered.push(item);
  };
  for (const [id, item] of fresh) visit(id, item);
  const placed = new Set(ordered);
  const rest = items.filter((item) => !placed.has(item));
  const [removals, changes] = [rest.filter(isRemoval), rest.filter((item) => !isRemoval(item))];
  const isDefault = ({ language }: ReleaseItem): boolean => language === null;
  const [first, others] = [changes.filter(isDefault), changes.filter((item) => !isDefault(item))];
  return [...ordered, ...first, ...others, ...removals];
}

const isRemoval = ({ action, language }: ReleaseItem): boolean => action === 'delete' && language === null;

const idsInText = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

interface Refused {
  readonly step: Step;
  readonly error: Problem;
}

/**
 * Runs all steps. One that others of the same release may still make possible, as where two records change slugs with one another's
 * former ones, is tried again behind these.
 */
async function runSteps(transaction: Transaction, steps: readonly Step[]): Promise<RunResult> {
  const made: RunResult['made'][number][] = [];
  const refused: Refused[] = [];
  let waiting = steps;
  while (waiting.length > 0) {
    const failed: Refused[] = [];
    for (const step of waiting) {
      try {
        const { id, record } = step.item;
        made.push({ id, record: record ?? id, made: (await step.run(transaction)) ?? null });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        failed.push({ step, error });
      }
    }
    const isMoving = failed.length < waiting.length;
    const again = failed.filter(({ error }) => isMoving && mayPassLater(error));
    refused.push(...failed.filter((each) => !again.includes(each)));
    waiting = again.map(({ step }) => step);
  }
  return { made, problems: refused.flatMap(({ step, error }) => problemsOf(step.item, error)) };
}
