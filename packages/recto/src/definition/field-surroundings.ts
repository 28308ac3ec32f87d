import type { DefinitionRegistry } from './definition-registry.ts';
import type { NamedFields } from './field-names.ts';
import type { Languages } from './languages/languages.ts';
import type { DraftIndex, Report, TypeDraft } from './type-draft.ts';

/** What the check of a type's fields looks at. */
export interface Resolution {
  readonly draft: TypeDraft;
  readonly named: NamedFields;
  readonly drafts: DraftIndex;
  readonly registry: DefinitionRegistry;
  readonly languages: Languages;
}

/** The context for the check of one field. */
export interface FieldSurroundings extends Resolution {
  readonly report: Report;
  /** The structured fields that it is inside of. */
  readonly depth: number;
}
