import type { Operation } from '../../http/operation.ts';
import { exportOperations } from './export-operations.ts';
import { importOperations } from './import-operations.ts';
import type { TransferOperationParts } from './transfer-requests.ts';

/** Content that is moved in and out by requests. */
export const transferOperations = (parts: TransferOperationParts): readonly Operation[] => [
  ...importOperations(parts),
  ...exportOperations(parts),
];
