import type { Field } from './content-type.ts';
import type { TypeDraft } from './type-draft.ts';

/** Reports types that say they had a name which a type still has, or which another type says as well. */
export function checkRenamedTypes(drafts: readonly TypeDraft[]): void {
  const holders = new Map(drafts.map((draft) => [draft.singular, draft]));
  const claimed = new Map<string, TypeDraft>();
  for (const draft of drafts) {
    const former = draft.written.renamed_from;
    if (former === undefined) continue;
    const holder = holders.get(former);
    const other = claimed.get(former);
    claimed.set(former, other ?? draft);
    if (holder !== undefined) {
      const remedy = 'leave renamed_from out, or remove that definition';
      draft.report('renamed_from', `"${former}" is still the name of the type in ${holder.source}`, remedy);
    } else if (other !== undefined) {
      const remedy = 'leave it out in one of the two: the records go to one type';
      draft.report('renamed_from', `the type in ${other.source} is renamed from "${former}" as well`, remedy);
    }
  }
}

/** The same for the fields of one type; `fields` are all it has, those of its protocols included. */
export function checkRenamedFields({ written, report }: TypeDraft, fields: ReadonlyMap<string, Field>): void {
  const declared = new Set((written.fields ?? []).map((field) => field?.name));
  const claimed = new Map<string, string>();
  for (const [index, field] of (written.fields ?? []).entries()) {
    const former = field?.renamed_from;
    if (field === undefined || former === undefined) continue;
    const path = `fields[${index}].renamed_from`;
    const other = claimed.get(former);
    claimed.set(former, other ?? path);
    if (declared.has(former) || fields.has(former)) {
      report(path, `the type still has a field "${former}"`, 'leave renamed_from out, or remove that field');
    } else if (other !== undefined) {
      report(path, `"${former}" is given as ${other} already`, 'leave it out in one of the two');
    }
  }
}
