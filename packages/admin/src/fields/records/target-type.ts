import '../../text/en/fields.ts';
import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { contentTypes } from '../../api/content-types.svelte.ts';
import { t } from '../../text/text.ts';
import { titleField } from '../form-fields.ts';

/** What a relation leads to, as far as forms need it. */
export interface TargetType {
  readonly plural: string;
  /** As people call one record. */
  readonly name: string;
  /** Undefined: accounts, which have a screen of their own. */
  readonly type: ContentTypeInfo | undefined;
  /** The field that names a record. */
  readonly title: string | undefined;
}

export const accounts: TargetType = {
  plural: 'users',
  get name() {
    return t('fields.user');
  },
  type: undefined,
  title: 'display_name',
};

/** By the singular or plural that a relation has, or `users`; undefined: this account doesn't see such a type. */
export function targetType(target: string): TargetType | undefined {
  const type = contentTypes.bySingular(target) ?? contentTypes.byPlural(target);
  if (type !== undefined) return { plural: type.plural, name: type.name, type, title: titleField(type) };
  return target === 'users' || target === 'user' ? accounts : undefined;
}

/** What a list takes so that it counts nothing: that of accounts always counts. */
export const withoutTotal = ({ type }: TargetType): { readonly skip_total?: true } =>
  type === undefined ? {} : { skip_total: true };
