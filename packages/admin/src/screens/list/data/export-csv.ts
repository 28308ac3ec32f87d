import { errorText } from '../../../api/query.svelte.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { toast } from '../../../ui/toasts.svelte.ts';
import type { ListedType } from './list-fields.ts';
import { languageQuery, requestedSort } from './list-requests.ts';
import type { ListState } from './list-state.ts';
import type { RectoClient } from './recto-client.ts';

/** Saves all records that a list has under its filter, in its order, with these columns. */
export async function exportCsv(
  client: RectoClient,
  type: ListedType,
  state: ListState,
  columns: readonly string[],
): Promise<void> {
  const { filter, search, deleted } = state;
  const sort = requestedSort(state, type);
  try {
    const rows = await client.admin.collection(type.plural).csv({
      ...(filter === '' ? {} : { filter }),
      ...(search === '' ? {} : { search }),
      query: {
        // The languages of a record are no field of it.
        fields: columns.filter((name) => !name.startsWith('__')),
        ...(sort === undefined ? {} : { sort }),
        ...(deleted ? { deleted: 'only' } : {}),
        // A file has records as they are.
        ...languageQuery({ ...state, asOf: '' }),
      },
    });
    saveFile(`${type.plural}.csv`, await new Response(rows).blob());
  } catch (problem) {
    toast(errorText(problem), { kind: 'error' });
  }
}
