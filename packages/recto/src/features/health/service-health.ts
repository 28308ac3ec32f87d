import { version } from '../../base/version.ts';
import type { LiveDefinitions } from '../../content-types/live-definitions.ts';
import type { Database } from '../../database/database.ts';
import type { ServiceCore } from '../service-core.ts';
import type { HealthState } from './health-state.ts';

/** The state of a service that starts, with what is checked of it. */
export function healthOf({ database, log, process }: ServiceCore, definitions: LiveDefinitions): HealthState {
  const { startedAt, group } = process;
  return {
    phase: 'starting',
    version,
    startedAt,
    checks: { database: () => database.ping(), definitions: () => definitions.check() },
    // The others serve while one is replaced; the database serves the reads of a missing replica.
    furtherChecks: {
      ...(group === undefined ? {} : { workers: group.checkWorkers }),
      ...(database.readPlaces === undefined ? {} : { replicas: () => checkReplicas(database) }),
    },
    onFailure: (check, error) => log.warn({ check, err: error }, 'a health check fails'),
  };
}

/** Rejects while a replica is left out. Its reads are answered by the database. */
async function checkReplicas({ readPlaces }: Database): Promise<void> {
  const out = readPlaces?.replicas.filter(({ leftOut }) => leftOut !== null) ?? [];
  if (out.length > 0) throw new Error(out.map(({ place, leftOut }) => `${place}: ${leftOut}`).join('; '));
}
