import type { JsonValue } from '../values/value-kind.ts';
import type { DefinitionSource } from './definition-source.ts';
import type { DraftIndex, Report, TypeDraft, WrittenDefinition } from './type-draft.ts';

/** The table that holds a type's records. */
export const tableName = (singular: string): string => `cms_${singular}`;

/** A draft of `written`, which is what the check of its shape left of the definition. */
export function draftOf(
  source: DefinitionSource,
  {
    whole,
    written,
    alias,
  }: { readonly whole: JsonValue; readonly written: WrittenDefinition; readonly alias?: string | undefined },
  report: Report,
): TypeDraft {
  const singular = written.singular ?? '';
  const kind = written.kind ?? 'collection';
  return {
    source: source.file,
    written,
    whole,
    report,
    singular,
    // A single type has no collection that could have a name.
    plural: written.plural ?? (kind === 'single' ? singular : ''),
    kind,
    table: tableName(singular),
    builtIn: source.protocols ?? source.builtIn?.protocols,
    knowsLanguages: source.builtIn === undefined || source.builtIn.localizable !== undefined,
    ownRoutes: source.builtIn !== undefined && source.builtIn.generatedRoutes !== true,
    stored: source.stored === true,
    ...(alias === undefined ? {} : { alias }),
  };
}

/** Finds types by name and reports names that two types would share: singular and plural stand in the same routes and references. */
export function indexDrafts(drafts: readonly TypeDraft[], incomplete: boolean): DraftIndex {
  const byName = new Map<string, TypeDraft>();
  for (const draft of drafts) {
    if (draft.kind === 'collection') checkPlural(draft);
    for (const role of ['singular', 'plural'] as const) {
      const name = draft[role];
      if (name === '') continue;
      const holder = byName.get(name);
      if (holder === undefined) byName.set(name, draft);
      else if (holder !== draft) reportTaken(draft, role, holder);
    }
  }
  for (const draft of drafts) {
    if (draft.alias !== undefined && !byName.has(draft.alias)) byName.set(draft.alias, draft);
  }
  return { byName, incomplete };
}

function reportTaken(draft: TypeDraft, role: 'singular' | 'plural', holder: TypeDraft): void {
  const name = draft[role];
  const theirs = holder.singular === name ? 'singular' : 'plural';
  draft.report(
    draft.written[role] === undefined ? 'singular' : role,
    `"${name}" is already the ${theirs} of the type in ${holder.source}`,
    takenRemedy(draft, holder),
    { code: 'taken' },
  );
}

function takenRemedy(draft: TypeDraft, holder: TypeDraft): string {
  if (draft.stored) return 'choose another name';
  if (holder.stored) {
    return `choose another name, or hand the type over to files with recto schema export ${holder.singular} --move`;
  }
  if (holder.builtIn === undefined) return 'give the two types different names';
  return `add fields to it with extends = "${holder.singular}" in place of a definition, or choose another name`;
}

function checkPlural({ written, singular, plural, builtIn, report }: TypeDraft): void {
  if (written.plural === undefined) {
    const example = singular === '' ? 'articles' : `${singular}s`;
    const remedy = `a collection needs one for its routes, such as plural = "${example}"`;
    report('plural', 'plural is missing', remedy, { code: 'required' });
  } else if (plural === singular && builtIn === undefined) {
    report('plural', `"${plural}" is also the singular`, 'name the collection differently, such as by its plural');
  }
}
