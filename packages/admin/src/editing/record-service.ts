import type { Loaded, SaveRequest } from './editing-state.ts';

/** How the saving of a record talks to the service. Both reject with what `refusalOf` understands. */
export interface RecordService {
  read(id: string): Promise<Loaded>;
  send(request: SaveRequest): Promise<Loaded>;
}
