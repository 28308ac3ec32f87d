import type { UntypedContent } from '@recto/client';
import type { AdminClient } from '@recto/client/admin';

/** A client whose content types are known only at run time. */
export type RectoClient = AdminClient<UntypedContent>;
