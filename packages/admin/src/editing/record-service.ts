import type { Loaded, SaveRequest } from './editing-state.ts';

/** How the saving of a record talks to the service. Both reject with what `refusalOf` understands. */
export interface RecordService {
  /** `background`: nobody asked for it, so that it must not ask anybody to sign in. */
  read(id: string, background?: boolean): Promise<Loaded>;
  send(request: SaveRequest, background?: boolean): Promise<Loaded>;
}
