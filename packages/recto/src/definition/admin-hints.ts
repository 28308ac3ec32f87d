import type { Field } from './content-type.ts';
import { closest } from './definition-structure.ts';
import { checkScreenText } from './screen-text.ts';
import type { ScreenText } from './screen-text-schema.ts';
import { isValue } from './stored-field.ts';
import type { Report, TypeDraft } from './type-draft.ts';

/** What the check of `[admin]` looks at. */
interface HintSurroundings {
  readonly report: Report;
  readonly fields: ReadonlyMap<string, Field>;
  /** Fields with errors of their own: references to them are not reported again. */
  readonly broken: ReadonlySet<string>;
}

/** Checks `[admin]` of a definition: hints for the screens where people edit, which change nothing else. */
export function checkAdminHints(
  { written, report }: TypeDraft,
  fields: ReadonlyMap<string, Field>,
  broken: ReadonlySet<string>,
): void {
  const { admin } = written;
  if (admin === undefined) return;
  const around = { report, fields, broken };
  if (admin.title_field !== undefined) checkTitle(admin.title_field, around);
  checkNames(admin.list_columns ?? [], 'admin.list_columns', around);
  checkScreenText(admin.label, 'admin.label', report);
  checkScreenText(admin.plural_label, 'admin.plural_label', report);
  checkLabels(admin.labels ?? {}, around);
  const placed = new Map<string, string>();
  for (const [index, group] of (admin.groups ?? []).entries()) {
    const path = `admin.groups[${index}].fields`;
    checkScreenText(group?.label, `admin.groups[${index}].label`, report);
    checkNames(group?.fields ?? [], path, around, true);
    for (const [place, name] of (group?.fields ?? []).entries()) {
      const first = placed.get(name);
      if (first !== undefined)
        report(`${path}[${place}]`, `"${name}" already stands in ${first}`, 'name it in one group');
      else placed.set(name, `admin.groups[${index}]`);
    }
  }
  checkSection(admin.section, report);
  if (admin.preview_url !== undefined) checkPage(admin.preview_url, 'preview_url', around);
  if (admin.page_url !== undefined) checkPage(admin.page_url, 'page_url', around);
}

/** Texts for fields that come with a protocol or with every record: declared ones have a label where they are declared. */
function checkLabels(labels: Readonly<Record<string, ScreenText>>, around: HintSurroundings): void {
  for (const [name, text] of Object.entries(labels)) {
    const path = `admin.labels.${name}`;
    checkScreenText(text, path, around.report);
    if (checkName(name, path, around, true)?.origin === 'declared')
      around.report(path, `"${name}" is declared in this definition`, 'write a label where it is declared');
  }
}

/** Types with one section are together: a heading that nobody can read is none. */
function checkSection(section: ScreenText | undefined, report: Report): void {
  checkScreenText(section, 'admin.section', report);
  const texts = typeof section === 'object' ? Object.entries(section) : [[undefined, section] as const];
  for (const [code, text] of texts)
    if (text?.trim() === '')
      report(['admin.section', code].filter(Boolean).join('.'), 'has no letters', 'write a heading, or leave it out');
}

function checkNames(names: readonly string[], path: string, around: HintSurroundings, isForm = false): void {
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) around.report(`${path}[${index}]`, `"${name}" is named twice`, 'name it once');
    else checkName(name, `${path}[${index}]`, around, isForm);
  }
}

/** `isForm`: it is a place to write, where secrets have controls too. */
function checkName(
  name: string,
  path: string,
  { report, fields, broken }: HintSurroundings,
  isForm = false,
): Field | undefined {
  const field = fields.get(name);
  if (field === undefined) {
    if (!broken.has(name)) report(path, `there is no field "${name}"`, closest(name, [...fields.keys()], 'there are'));
  } else if (field.type.secret && !isForm) {
    report(path, `"${name}" is a ${field.type.name}, which is never returned`, 'leave it out');
  } else return field;
  return undefined;
}

function checkTitle(name: string, around: HintSurroundings): void {
  const field = checkName(name, 'admin.title_field', around);
  if (field === undefined || (isValue(field) && field.type.kind !== 'json')) return;
  around.report('admin.title_field', `"${name}" is no text that could stand as a title`, 'name a field with one value');
}

/** What an address may contain of a record. Other fields could bring parts of an address that mean another place. */
const placeholders = ['id', 'slug', 'language', 'token'];

/** Those that are no fields. A token is for previews alone. */
const besideFields: ReadonlySet<string> = new Set(['language', 'token']);

function checkPage(address: string, name: 'preview_url' | 'page_url', { report, fields }: HintSurroundings): void {
  const path = `admin.${name}`;
  const known = name === 'page_url' ? placeholders.filter((one) => one !== 'token') : placeholders;
  for (const [, name = ''] of address.matchAll(/\{([^{}]*)\}/g)) {
    if (!known.includes(name)) {
      report(path, `"{${name}}" has no meaning here`, `write ${known.map((one) => `{${one}}`).join(', ')}`);
      return;
    }
    if (!besideFields.has(name) && !fields.has(name)) {
      report(path, `the type has no field "${name}"`, 'write {id}, or add the field');
      return;
    }
  }
  const [sent = ''] = address.split('#', 1);
  if (sent.includes('{token}')) {
    report(
      path,
      '"{token}" would be sent to servers, whose logs keep it',
      'write it behind a #, such as "/preview#{token}"',
    );
    return;
  }
  if (!isPreviewAddress(address)) {
    const remedy = 'write an address that begins with https://, http:// or /, such as "/articles/{slug}"';
    report(path, 'is no address of a page', remedy);
  }
}

/** An absolute address of the web whose host is fixed, or a path on this site. */
function isPreviewAddress(address: string): boolean {
  const filled = address.replaceAll(/\{(?:id|slug|language|token)\}/g, 'x');
  if (/[\s\p{Cc}\\{}]/u.test(filled)) return false;
  if (address.startsWith('/')) return !address.startsWith('//');
  const origin = /^https?:\/\/[^/?#]*/i.exec(address)?.[0];
  return origin !== undefined && !origin.includes('{') && URL.canParse(filled);
}
