import type { NamedFields } from './field-names.ts';
import type { DraftIndex, Report, TypeDraft } from './type-draft.ts';

/** What the check of one field looks at besides the field. */
export interface FieldSurroundings {
  readonly draft: TypeDraft;
  readonly named: NamedFields;
  readonly drafts: DraftIndex;
  readonly report: Report;
}
