import { RectoError } from '@recto/client';
import { session } from '../../app/session.svelte.ts';
import { type AnyRecord, type RecordChoice, recordChoice } from './record-choice.ts';
import { type TargetType, withoutTotal } from './target-type.ts';

const count = 20;

/** The first records that a text finds; without a text, the first of the type's own order. The service searches, never the page. */
export async function searchRecords(
  target: TargetType,
  text: string,
  signal: AbortSignal,
): Promise<readonly RecordChoice[]> {
  if (target.type === undefined && !session.isAdmin) return ownAccount(target, text);
  const asked = { page_size: count, ...withoutTotal(target), signal };
  const collection = session.client.admin.collection(target.plural);
  const search = text.trim();
  try {
    const { items } = await collection.list(search === '' ? asked : { ...asked, search });
    return choices(target, items);
  } catch (error) {
    // A type without searchable text is searched by how its titles begin.
    const isUnsearchable = error instanceof RectoError && error.status === 400 && target.title !== undefined;
    if (search === '' || !isUnsearchable) throw error;
    const pattern = `${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const { items } = await collection.list({ ...asked, filter: { [String(target.title)]: { like: pattern } } });
    return choices(target, items);
  }
}

/** Others are listed for admins alone. */
function ownAccount(target: TargetType, text: string): readonly RecordChoice[] {
  if (session.account === undefined) return [];
  const own = recordChoice(target, { ...session.account });
  const wanted = text.trim().toLocaleLowerCase();
  return [own.title, own.detail].some((each) => each?.toLocaleLowerCase().includes(wanted)) ? [own] : [];
}

const choices = (target: TargetType, items: readonly AnyRecord[]): readonly RecordChoice[] =>
  items.map((record) => recordChoice(target, record));
