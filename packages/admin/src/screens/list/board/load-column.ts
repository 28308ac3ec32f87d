import { RectoError } from '@recto/client';
import type { ListedType } from '../data/list-fields.ts';
import type { ListRecord } from '../data/list-record.ts';
import { loadPage } from '../data/list-requests.ts';
import type { ListState } from '../data/list-state.ts';
import type { RectoClient } from '../data/recto-client.ts';

export interface LoadedColumn {
  readonly rows: readonly ListRecord[];
  readonly hasMore: boolean;
}

export interface ColumnRequest {
  readonly client: RectoClient;
  readonly type: ListedType;
  /** With the filter of the column. */
  readonly state: ListState;
  readonly include: readonly string[];
  readonly signal: AbortSignal;
}

/** The most records of one request. */
const mostAtOnce = 100;

/** The first records of a column: as many as are wanted, or all that there are. */
export async function loadColumn(request: ColumnRequest, wanted: number): Promise<LoadedColumn> {
  try {
    return await loadRows(request, wanted);
  } catch (error) {
    // Relations that lead to more than a response holds are shown without their titles.
    if (!(error instanceof RectoError && error.is('answer_too_large')) || request.include.length === 0) throw error;
    return loadRows({ ...request, include: [] }, wanted);
  }
}

async function loadRows(request: ColumnRequest, wanted: number): Promise<LoadedColumn> {
  const rows: ListRecord[] = [];
  let cursor: string | null = null;
  for (;;) {
    const size = Math.min(mostAtOnce, wanted - rows.length);
    const place =
      cursor === null ? ({ from: 'page', page: 1 } as const) : ({ from: 'start', cursor, before: 0 } as const);
    const page = await loadPage({ ...request, state: { ...request.state, size, place } });
    rows.push(...page.rows);
    if (page.nextCursor === undefined || rows.length >= wanted) return { rows, hasMore: page.nextCursor !== undefined };
    cursor = page.nextCursor;
  }
}
