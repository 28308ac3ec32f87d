import type { Client, UntypedContent } from '@recto/client';

/** A client whose content types are known only at run time. */
export type RectoClient = Client<UntypedContent>;
