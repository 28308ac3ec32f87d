import { compareScalars } from './compare-scalars.ts';
import type { Kind } from './value-kind.ts';

export const booleanKind: Kind = {
  fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
  fromText: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  compare: compareScalars,
  ordered: false,
};
