import type { LinkingRecord } from '../../../api/link-routes.ts';
import { errorText, invalidate } from '../../../api/query.svelte.ts';
import { session } from '../../../app/session.svelte.ts';
import { t } from '../../../text/text.ts';
import { toast } from '../../../ui/toasts.svelte.ts';
import type { ListColumns } from '../columns/list-columns.svelte.ts';
import type { ListAddress } from '../data/list-address.svelte.ts';
import type { ListData } from '../data/list-data.svelte.ts';
import { protocolOf } from '../data/list-fields.ts';
import type { BulkAction, BulkParts, BulkResult, BulkTarget } from './bulk-actions.ts';
import { Selection } from './selection.svelte.ts';

/** What can be done with the selected records. */
export type BulkButton = Exclude<BulkAction['action'], 'update'> | 'set';

/** What is asked before an action is done. */
export interface BulkQuestion {
  readonly action: BulkButton;
  readonly count: number;
  readonly isAll: boolean;
  /** Records whose texts link to those that visitors will not find any more. */
  readonly linked: readonly LinkingRecord[];
}

/** After these, visitors do not find a record any more. */
const takesAway: ReadonlySet<BulkButton> = new Set(['unpublish', 'archive', 'delete']);

/** The records of a list that are selected, and what is done with them. */
export class ListActions {
  readonly selection = new Selection();
  readonly #address: ListAddress;
  readonly #columns: ListColumns;
  readonly #data: ListData;

  #isAskingLinked = false;
  /** Undefined: nothing is asked. */
  asked = $state.raw<BulkQuestion>();
  isWorking = $state(false);
  progress = $state.raw<{ readonly done: number; readonly total: number }>();

  readonly isSoft = $derived.by(() => protocolOf(this.#address.type, 'soft_deletable') !== undefined);
  readonly isPageSelected = $derived.by(() => {
    const { rows } = this.#data;
    return rows.length > 0 && rows.every(({ id }) => this.selection.has(id));
  });
  readonly offered = $derived.by((): readonly BulkButton[] => {
    const { state, type } = this.#address;
    if (state.deleted) return ['restore', 'purge'];
    const isContent = this.#columns.status?.values.some((value) => value.toLowerCase() === 'published') === true;
    return [
      ...(isContent ? (['publish', 'unpublish'] as const) : []),
      ...(this.#columns.settable.length > 0 && type.may.update ? (['set'] as const) : []),
      ...(type.may.delete ? (['delete'] as const) : []),
    ];
  });
  /** Another question is another selection. */
  readonly #question = $derived.by(() => {
    const { filter, search, deleted, language, missing, asOf } = this.#address.state;
    return JSON.stringify([filter, search, deleted, language, missing, asOf]);
  });

  /** Call it while a component is set up. */
  constructor(address: ListAddress, columns: ListColumns, data: ListData) {
    this.#address = address;
    this.#columns = columns;
    this.#data = data;
    $effect.pre(() => {
      void this.#question;
      this.selection.clear();
    });
  }

  ask(action: BulkButton): void {
    const { selection } = this;
    const count = selection.isAll ? (this.#data.total ?? 0) : selection.size;
    // What can be undone, and is on this page, is done at once.
    const isUndone =
      action === 'restore' || (action === 'delete' && this.isSoft) || action === 'publish' || action === 'unpublish';
    const now = action !== 'set' && isUndone && !selection.isAll ? () => void this.run({ action }) : undefined;
    const question: BulkQuestion = { action, count, isAll: selection.isAll, linked: [] };
    if (now === undefined) this.asked = question;
    if (!selection.isAll && takesAway.has(action)) void this.#askLinked(question, now);
    else now?.();
  }

  /**
   * Visitors will not find the records any more: the question names what links to them. Where others do, the person is asked also about what
   * would be done at once (`now`), because it can be undone.
   */
  async #askLinked(question: BulkQuestion, now: (() => void) | undefined): Promise<void> {
    if (this.#isAskingLinked) return;
    this.#isAskingLinked = true;
    const ids = this.selection.records.map(({ id }) => id);
    let linked: readonly LinkingRecord[] = [];
    try {
      const { linksToAny } = await import('./links-to-any.ts');
      linked = await linksToAny(this.#address.type, ids);
    } catch {
      // Nobody is kept from it, as where its code cannot be loaded.
    }
    this.#isAskingLinked = false;
    // What has been selected meanwhile is not what was meant.
    const { selection } = this;
    if (selection.isAll || selection.size !== ids.length || !ids.every((id) => selection.has(id))) return;
    if (linked.length === 0) now?.();
    // Who has answered meanwhile is not asked again.
    else if (now !== undefined || this.asked === question) this.asked = { ...question, linked };
  }

  async run(action: BulkAction): Promise<void> {
    const { type } = this.#address;
    const { status, schedule } = this.#columns;
    const { language } = this.#address.state;
    const parts: BulkParts = {
      ...(language === '' ? {} : { language }),
      ...{ client: session.client, type, isSoft: this.isSoft },
      ...{ statusField: status?.name, scheduleField: schedule },
      onProgress: (done, total) => {
        this.progress = { done, total };
      },
    };
    this.isWorking = true;
    let wordsOf = errorText;
    try {
      // Only who changes many records needs it.
      const [{ runBulk }, { doneText, problemText }] = await Promise.all([
        import('./bulk-actions.ts'),
        import('./bulk-texts.ts'),
      ]);
      wordsOf = problemText;
      const { affected, failed, reason, undo } = await runBulk(parts, this.#asChange(action), this.#target());
      this.selection.clear();
      const way = undo === undefined ? {} : { action: { label: t('list.undo'), run: () => void this.#takeBack(undo) } };
      if (affected > 0 || failed === 0) toast(doneText(action, affected), way);
      if (failed > 0) toast(t('list.jobFailed', { count: failed, reason: reason ?? '' }), { kind: 'error' });
    } catch (problem) {
      toast(wordsOf(problem), { kind: 'error' });
    } finally {
      this.isWorking = false;
      this.progress = undefined;
      this.asked = undefined;
      invalidate(['list', type.plural]);
    }
  }

  async #takeBack(undo: NonNullable<BulkResult['undo']>): Promise<void> {
    let wordsOf = errorText;
    try {
      const { problemText, undoneText } = await import('./bulk-texts.ts');
      wordsOf = problemText;
      toast(undoneText(await undo(), this.#address.type));
    } catch (problem) {
      toast(wordsOf(problem), { kind: 'error' });
    } finally {
      if (!this.isWorking) this.progress = undefined;
      invalidate(['list', this.#address.type.plural]);
    }
  }

  #target(): BulkTarget {
    return this.selection.isAll
      ? { matching: this.#address.state, total: this.#data.total ?? 0 }
      : { records: this.selection.records };
  }

  /** A status without the protocol is a field like any other. */
  #asChange(action: BulkAction): BulkAction {
    const field = this.#columns.status;
    if (field === undefined || (action.action !== 'publish' && action.action !== 'unpublish')) return action;
    const entry = this.#address.type.fields.find((each) => each.name === field.name);
    if (entry?.field_type !== 'enum' || entry.origin === 'protocol') return action;
    const wanted = action.action === 'publish' ? 'published' : field.values[0];
    return { action: 'update', set: { [field.name]: wanted } };
  }
}
