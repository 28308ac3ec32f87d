import type { ChangeAction, LoggedEvent } from '../../api/admin-routes.ts';
import { contentTypes } from '../../api/content-types.svelte.ts';
import { fieldLabel } from '../../api/field-label.ts';
import { statusLabel, valueLabels } from '../../api/own-names.ts';
import { readableName, readableValue } from '../../api/readable-name.ts';
import { readerText } from '../../api/reader-text.ts';
import { recordPath } from '../../api/record-title.ts';
import { type MessageKey, t } from '../../text/text.ts';

export const actionLabels: Readonly<Record<ChangeAction, MessageKey>> = {
  create: 'site.actionCreate',
  update: 'site.actionUpdate',
  delete: 'site.actionDelete',
  publish: 'site.actionPublish',
  unpublish: 'site.actionUnpublish',
  restore: 'site.actionRestore',
};

/**
 * Types of events that are not about records, as the service names them and as its filter does. A name that a content type may well have is
 * asked for as it is logged.
 */
export const otherTypes: readonly { readonly logged: string; readonly asked: string; readonly label: MessageKey }[] = [
  { logged: 'recto:account', asked: 'account', label: 'site.accounts' },
  { logged: 'recto:api_token', asked: 'api-token', label: 'app.apiTokens' },
  { logged: 'recto:note', asked: 'recto:note', label: 'site.notes' },
  { logged: 'recto:release', asked: 'release', label: 'app.releases' },
  { logged: 'recto:webhook', asked: 'webhook', label: 'app.webhooks' },
  { logged: 'recto:content_type', asked: 'content-type', label: 'site.contentTypes' },
  { logged: 'recto:saved_view', asked: 'saved-view', label: 'site.savedViews' },
];

/** The name of a logged type; of one that is no longer served, its singular. */
export function loggedTypeName(logged: string): string {
  const other = otherTypes.find((each) => each.logged === logged);
  return other === undefined ? (contentTypes.bySingular(logged)?.name ?? readableName(logged)) : t(other.label);
}

/** Where the thing that was changed is looked at; undefined where there is no such page. */
export function pageOf({ type, record }: { readonly type: string; readonly record: string }): string | undefined {
  if (type === 'recto:account') return `/users/${record}`;
  if (type === 'recto:release') return `/releases/${record}`;
  if (type === 'recto:webhook') return `/webhooks/${record}`;
  if (type === 'recto:content_type') return `/types/${record}`;
  const served = contentTypes.bySingular(type);
  return served === undefined ? undefined : recordPath(served, record);
}

/** What people read for a field of a logged type. */
export function loggedFieldName(type: string, name: string): string {
  const served = contentTypes.bySingular(type);
  const field = served?.fields.find((each) => each.name === name);
  return served === undefined || field === undefined ? readableName(name) : fieldLabel(served, field);
}

/** What people read for a text that a field of a logged type had: an option and a status are called as in forms. */
export function loggedText(type: string, name: string, text: string): string {
  const served = contentTypes.bySingular(type);
  if (served?.fields.find((each) => each.name === name)?.field_type !== 'enum') return text;
  const own = readerText(valueLabels(served, name)?.[text]);
  return own ?? (name === 'status' ? statusLabel(text, served) : readableValue(text));
}

export const changedFields = ({ type, changed }: Pick<LoggedEvent, 'type' | 'changed'>): readonly string[] =>
  changed.map((name) => loggedFieldName(type, name));
