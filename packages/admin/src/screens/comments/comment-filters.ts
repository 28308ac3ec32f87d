import { type Status, statuses } from './comment-record.ts';

/** Which comments the queue shows. All of it stands in the address. */
export interface CommentFilters {
  /** Undefined: all. */
  readonly status: Status | undefined;
  readonly search: string;
  /** The id of a post. */
  readonly post: string | undefined;
}

/** Pending ones where the address says nothing. */
export function readFilters(query: URLSearchParams): CommentFilters {
  const status = query.get('status');
  return {
    status: status === 'all' ? undefined : (statuses.find((each) => each.toLowerCase() === status) ?? 'Pending'),
    search: query.get('search') ?? '',
    post: query.get('post') ?? undefined,
  };
}

/** The address of the queue with these filters. */
export function addressOf({ status, search, post }: CommentFilters): string {
  const query = new URLSearchParams();
  if (status !== 'Pending') query.set('status', status?.toLowerCase() ?? 'all');
  if (search !== '') query.set('search', search);
  if (post !== undefined) query.set('post', post);
  return query.size === 0 ? '/comments' : `/comments?${query}`;
}

/** The parameters of the list. Those that wait longest come first. */
export const listParameters = ({ status, search, post }: CommentFilters): Readonly<Record<string, string>> => ({
  include: 'parent_id',
  sort: status === 'Pending' ? 'created_at:asc' : 'created_at:desc',
  ...(status === undefined ? {} : { status }),
  ...(search.trim() === '' ? {} : { search: search.trim() }),
  ...(post === undefined ? {} : { post_id: post }),
});
