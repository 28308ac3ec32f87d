export type { BatchResult, PatchOperation, Revision } from './admin-collection.ts';
export { type AdminClient, type AdminCollection, type Batch, createAdminClient } from './create-admin-client.ts';
export type { MyPreferences, Preference, SavedView, SavedViewInput, SavedViews } from './saved-views.ts';
