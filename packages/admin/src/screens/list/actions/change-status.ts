import '../../../text/en/board.ts';
import { invalidate } from '../../../api/query.svelte.ts';
import { session } from '../../../app/session.svelte.ts';
import { t } from '../../../text/text.ts';
import { toast } from '../../../ui/toasts.svelte.ts';
import { type ListedType, type ListField, protocolOf, scheduleField, valueLabel } from '../data/list-fields.ts';
import type { ListRecord } from '../data/list-record.ts';
import { recordTitle } from '../table/record-text.ts';
import { runBulk } from './bulk-actions.ts';
import { problemText, undoneText } from './bulk-texts.ts';

/** Gives a record another status, and offers the way back. A failure is reported. */
export async function changeStatus(
  type: ListedType,
  field: ListField,
  { record, status }: { readonly record: ListRecord; readonly status: string },
): Promise<void> {
  const { __language: language } = record;
  const parts = {
    ...(typeof language === 'string' ? { language } : {}),
    ...{ client: session.client, type, isSoft: protocolOf(type, 'soft_deletable') !== undefined },
    ...{ statusField: field.name, scheduleField: scheduleField(type) },
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (problem) {
      toast(problemText(problem), { kind: 'error' });
    }
    invalidate(['list', type.plural]);
  };
  await attempt(async () => {
    const { undo } = await runBulk(parts, { action: 'update', set: { [field.name]: status } }, { records: [record] });
    const text = t('board.moved', { title: recordTitle(record, type), status: valueLabel(field, status) });
    const run = (): void => {
      if (undo === undefined) return;
      void attempt(async () => {
        const kept = await undo();
        if (kept.length > 0) toast(undoneText(kept, type), { about: record.id });
      });
    };
    toast(text, { about: record.id, action: { label: t('list.undo'), run } });
  });
}
