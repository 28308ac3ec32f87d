import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { t } from '../../text/text.ts';

/** Where a type is defined, in words. */
export function sourceName({ source, file }: Pick<ContentTypeInfo, 'source' | 'file'>): string {
  if (source === 'api') return t('types.sourceApi');
  if (file !== null) return t('types.sourceFile', { file });
  return source === 'built_in' ? t('types.sourceBuiltIn') : t('types.sourceFileUnknown');
}

/** Why a type cannot be changed here; undefined for one that can. */
export function lockedReason(type: ContentTypeInfo, isInstallationAdmin: boolean): string | undefined {
  const { source, file, handed_over, may } = type;
  if (source === 'built_in') return file === null ? t('types.readOnlyBuiltIn') : t('types.readOnlyExtended', { file });
  if (source === 'file') return t('types.readOnlyFile', { file: file ?? t('types.sourceFileUnknown') });
  if (handed_over) return t('types.readOnlyHandedOver');
  return may.define && isInstallationAdmin ? undefined : t('types.readOnlyTenant');
}
