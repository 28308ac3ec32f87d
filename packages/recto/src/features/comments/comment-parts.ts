import type { AuthServices } from '../../auth/auth-services.ts';
import type { AutoApprove } from '../../builtin/create-comment.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { Records } from '../../records/records.ts';

export interface CommentParts {
  readonly types: ContentTypes;
  readonly records: Records;
  readonly auth: Pick<AuthServices, 'accounts' | 'database' | 'counters'>;
  readonly autoApprove: AutoApprove;
  /** Whether guests are limited in rate. */
  readonly rateLimit: boolean;
}
