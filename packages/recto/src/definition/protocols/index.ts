import { byName } from '../by-name.ts';
import { assignable } from './assignable.ts';
import { expirable } from './expirable.ts';
import { lockable } from './lockable.ts';
import { metaable } from './metaable.ts';
import { nestable } from './nestable.ts';
import { ownable } from './ownable.ts';
import { softDeletable } from './soft-deletable.ts';
import { sortable } from './sortable.ts';
import { statusable } from './statusable.ts';
import { tenantable } from './tenantable.ts';
import { timestampable } from './timestampable.ts';
import { versionable } from './versionable.ts';

/** All protocols that a definition can name. */
export const protocols = byName(
  timestampable,
  ownable,
  lockable,
  metaable,
  softDeletable,
  versionable,
  statusable,
  assignable,
  expirable,
  sortable,
  nestable,
  tenantable,
);

export type ProtocolName = keyof typeof protocols;
