import type { ServiceCore } from '../features/service-core.ts';
import type { ServiceFeatures } from '../features/service-features.ts';
import type { WalkBounds } from '../query/list-query.ts';

export interface ServiceParts extends Omit<ServiceCore, 'content'> {
  readonly features: ServiceFeatures;
  /** How long a job stays with a process that has died. */
  readonly leaseMs?: number;
  /** So many matches of a search are counted and ranked; default: `defaultMostMatches`. */
  readonly mostMatches?: number;
  /** How far lists look for a page by its related records; default: `defaultWalk`. */
  readonly walk?: WalkBounds;
  /** Closes the database, if it is the service's own. */
  close(): Promise<void>;
}
