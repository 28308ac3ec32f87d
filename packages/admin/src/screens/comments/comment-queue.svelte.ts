import { tick, untrack } from 'svelte';
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { PagedList } from '../../api/paged-list.svelte.ts';
import { createQuery, errorText, invalidate } from '../../api/query.svelte.ts';
import { place } from '../../app/navigation.svelte.ts';
import { session } from '../../app/session.svelte.ts';
import { t } from '../../text/text.ts';
import { Selection } from '../../ui/selection.svelte.ts';
import { toast } from '../../ui/toasts.svelte.ts';
import type { CommentAction } from './comment-actions.ts';
import { addressOf, listParameters, readFilters } from './comment-filters.ts';
import { type CommentRecord, commentRecord, type Decision, decisionFor, decisions } from './comment-record.ts';
import { decideAll, groupByStatus } from './moderate.ts';
import { requestPostTitles } from './post-titles.ts';

interface Counts {
  readonly items: readonly { readonly status: string; readonly count: number }[];
}

/** Only the last decision is shown: it is the one that can be taken back, and many are made in a row. */
const about = 'comments';

/** The comments that the page shows, which of them is meant, and what is decided about them. */
export class CommentQueue {
  readonly list = new PagedList({
    path: '/admin/comments',
    pageSize: 30,
    parameters: listParameters,
    read: commentRecord,
  });
  readonly selection = new Selection();
  readonly busy = new SvelteSet<string>();
  /** Replies that are being written, by the comment. */
  readonly replies = new SvelteMap<string, string>();
  readonly #counts;
  #chosen = $state<string>();
  /** What somebody wants to delete, and is asked about. */
  deleting = $state.raw<readonly CommentRecord[]>([]);
  /** Takes the last decision back. */
  undo = $state.raw<() => void>();
  /** Where the comments are shown. */
  element = $state<HTMLElement>();

  readonly filters = $derived.by(() => readFilters(place.query));
  readonly total = $derived.by(() => [...(this.counts?.values() ?? [])].reduce((sum, count) => sum + count, 0));
  readonly current = $derived.by(() => this.list.items.find(({ id }) => id === this.#chosen) ?? this.list.items[0]);
  readonly selected = $derived.by(() => this.list.items.filter(({ id }) => this.selection.has(id)));
  readonly isAllSelected = $derived.by(
    () => this.selected.length > 0 && this.selected.length === this.list.items.length,
  );
  readonly isWriting = $derived.by(() => [...this.replies.values()].some((text) => text.trim() !== ''));
  readonly #address = $derived.by(() => addressOf(this.filters));

  /** Call it while a component is set up. */
  constructor() {
    this.#counts = createQuery(() => ({
      key: ['comment-counts', this.filters.post],
      load: async (signal) => {
        const query = { group: 'status', post_id: this.filters.post };
        const { items } = await session.client.request<Counts>('GET', '/admin/comments/aggregate', { query, signal });
        return new Map(items.map(({ status, count }) => [status, count]));
      },
    }));
    $effect(() => {
      void this.#address;
      untrack(() => {
        this.selection.clear();
        void this.list.load(this.filters);
      });
    });
    $effect(() => () => this.list.stop());
    $effect(() => {
      const { items } = this.list;
      untrack(() => this.selection.keep(items));
    });
    $effect(() => requestPostTitles([this.filters.post ?? null, ...this.list.items.map(({ postId }) => postId)]));
  }

  /** How many comments have each status, once that is known. */
  get counts(): ReadonlyMap<string, number> | undefined {
    return this.#counts.data;
  }

  choose(id: string): void {
    this.#chosen = id;
  }

  async focus(id: string | undefined): Promise<void> {
    this.#chosen = id;
    await tick();
    if (id !== undefined) this.#elementOf(id)?.focus();
  }

  /** To the next comment, or the one before; more of them are loaded near the end. */
  move(step: number): void {
    const { items } = this.list;
    const at = items.findIndex(({ id }) => id === this.current?.id);
    const next = items[Math.max(0, Math.min(items.length - 1, at + step))];
    if (next !== undefined) void this.focus(next.id);
    if (at + step >= items.length - 3) void this.list.more();
  }

  selectAll(): void {
    if (this.isAllSelected) this.selection.clear();
    else this.selection.set(this.list.items);
  }

  act(comment: CommentRecord, action: CommentAction): void {
    this.#chosen = comment.id;
    if (action === 'reply') this.replies.set(comment.id, this.replies.get(comment.id) ?? '');
    else if (action === 'delete') this.deleting = [comment];
    else void this.decide([comment], action);
  }

  async decide(comments: readonly CommentRecord[], decision: Decision): Promise<void> {
    const { list, selection, busy, filters } = this;
    const changing = comments.filter(({ id, status }) => status !== decisions[decision] && !busy.has(id));
    if (changing.length === 0) return;
    const ids = new Set(changing.map(({ id }) => id));
    for (const id of ids) busy.add(id);
    try {
      await decideAll([...ids], decision);
      const isGone = filters.status !== undefined && filters.status !== decisions[decision];
      const [next, moves] = [this.#nextAfter(ids), this.#hasFocus(ids) || comments.length > 1];
      if (isGone) list.remove(ids);
      else for (const comment of changing) list.put({ ...comment, status: decisions[decision] });
      for (const id of ids) if (selection.has(id) && isGone) selection.toggle(id);
      const undo = (): void => void this.#takeBack(changing);
      this.undo = undo;
      toast(t(`comments.done.${decision}`, { count: changing.length }), {
        action: { label: t('comments.undo'), run: undo },
        about,
      });
      refresh();
      if (isGone && moves) await this.focus(next);
      if (isGone && list.items.length === 0 && list.hasMore) await list.more();
    } catch (error) {
      toast(errorText(error), { kind: 'error' });
    } finally {
      for (const id of ids) busy.delete(id);
    }
  }

  /** Deletes what somebody has confirmed. */
  async remove(): Promise<void> {
    const ids = new Set(this.deleting.map(({ id }) => id));
    try {
      await session.client.request('POST', '/admin/comments/batch', { body: { action: 'delete', ids: [...ids] } });
      const before = this.list.items;
      this.list.remove(ids);
      toast(t('comments.deleted', { count: ids.size }), { about });
      refresh();
      // Their replies are gone as well.
      await this.list.reload();
      this.deleting = [];
      const left = new Set(this.list.items.map(({ id }) => id));
      const next = nextAfter(before, ids, ({ id }) => left.has(id));
      await tick();
      await this.focus(next);
    } catch (error) {
      toast(errorText(error), { kind: 'error' });
    }
  }

  async replied(comment: CommentRecord): Promise<void> {
    this.replies.delete(comment.id);
    const gone = new Set([comment.id]);
    const next = this.#nextAfter(gone);
    toast(t('comments.replied'), { about });
    refresh();
    if (this.filters.status !== undefined && this.filters.status !== 'Approved') {
      this.list.remove(gone);
      await this.focus(next);
    } else {
      await this.list.reload();
      await this.focus(comment.id);
    }
  }

  giveUpReply(comment: CommentRecord): void {
    this.replies.delete(comment.id);
    void this.focus(comment.id);
  }

  /** Gives comments the status back that they had. */
  async #takeBack(comments: readonly CommentRecord[]): Promise<void> {
    this.undo = undefined;
    try {
      for (const [status, same] of groupByStatus(comments))
        await decideAll(
          same.map(({ id }) => id),
          decisionFor[status],
        );
      toast(t('comments.undone'), { kind: 'info', about });
      refresh();
      await this.list.reload();
      await this.focus(comments[0]?.id);
    } catch (error) {
      toast(errorText(error), { kind: 'error' });
    }
  }

  #elementOf(id: string): HTMLElement | null {
    return this.element?.querySelector<HTMLElement>(`[data-comment="${id}"]`) ?? null;
  }

  /** What comes after these when they leave the list. */
  #nextAfter(gone: ReadonlySet<string>): string | undefined {
    return nextAfter(this.list.items, gone, ({ id }) => !gone.has(id));
  }

  /** Whether the focus is in one of the comments, so that it has to go somewhere when that leaves. */
  #hasFocus(ids: ReadonlySet<string>): boolean {
    return [...ids].some((id) => this.#elementOf(id)?.contains(document.activeElement) === true);
  }
}

/** What stays behind the first of these comments, or else before it. */
function nextAfter(
  items: readonly CommentRecord[],
  gone: ReadonlySet<string>,
  stays: (comment: CommentRecord) => boolean,
): string | undefined {
  const at = items.findIndex(({ id }) => gone.has(id));
  return (items.slice(at).find(stays) ?? items.findLast(stays))?.id;
}

function refresh(): void {
  invalidate(['comment-counts']);
  invalidate(['comment-context']);
}
