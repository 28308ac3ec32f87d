export type { BatchResult, LanguageOption, LanguageState, PatchOperation, Revision } from './admin-collection.ts';
export {
  type AdminClient,
  type AdminCollection,
  type AdminReader,
  type Batch,
  createAdminClient,
} from './create-admin-client.ts';
export type {
  ApiToken,
  ApiTokens,
  Extent,
  GrantedFields,
  OtherRights,
  Permissions,
  RecordRight,
  Role,
  RoleAction,
  RoleDefinition,
  Roles,
  TokenScope,
  TypeGrant,
  TypePermissions,
} from './roles.ts';
export type { MyPreferences, Preference, SavedView, SavedViewInput, SavedViews } from './saved-views.ts';
