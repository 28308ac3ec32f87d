import { type Caller, isAuthenticated } from '../base/caller.ts';
import type { Logger } from '../base/logger.ts';
import { forbidden, Problem } from '../base/problem.ts';
import type { Transaction } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import type { ChangedValues } from '../definition/protocol.ts';
import type { Answer } from '../records/answers/answer.ts';
import { requireAccess } from '../records/plans/access.ts';
import { RequestBindings } from '../records/plans/plan.ts';
import type { Records } from '../records/records.ts';
import type { Created } from '../records/write/create-record.ts';
import type { PreparedWrite } from '../records/write/prepared-write.ts';
import { evaluateRule, type RuleRecord } from '../rules/rule-evaluator.ts';
import type { Storage } from '../storage/storage.ts';
import { cleanFileName } from './file-name.ts';
import type { FileStore } from './file-store.ts';
import { cropAfter } from './framing.ts';
import { type IngestedFile, type IngestLimits, ingestFile } from './ingest-file.ts';
import { addressesOf } from './media-type.ts';
import { storedFacts } from './stored-facts.ts';

export interface MediaWriterParts {
  readonly records: Records;
  readonly type: ContentType;
  readonly storage: Storage;
  readonly store: FileStore;
  readonly limits: IngestLimits;
  readonly log: Pick<Logger, 'warn'>;
}

/** Whose request it is, and whether it came by the admin routes. */
export interface MediaRequest {
  readonly caller: Caller;
  readonly admin: boolean;
}

/** What is stored in the transaction of a new record. */
export type AlsoStored = (transaction: Transaction, created: Created) => Promise<void>;

type Payload = Readonly<Record<string, unknown>>;

/** Creates records with files and replaces their files: bytes first, then the record in one transaction, or neither. */
export class MediaWriter {
  readonly #parts: MediaWriterParts;

  constructor(parts: MediaWriterParts) {
    this.#parts = parts;
  }

  get limits(): IngestLimits {
    return this.#parts.limits;
  }

  /**
   * Throws for a caller who may not create files, or where there is no room for their records, before any of their bytes are read:
   * 401, 403, 503. Rules that depend on the record are checked when it is created.
   */
  requireCreate(request: MediaRequest): void {
    this.#requireRights(request);
    // Nor are bytes stored that no record would get.
    this.#parts.records.database.requireRoom?.();
  }

  #requireRights({ caller, admin }: MediaRequest): void {
    const { type } = this.#parts;
    if (admin) return;
    const { access, filter, filterAuth } = type.endpoints.create;
    requireAccess(access, caller);
    const rules = [filter, isAuthenticated(caller) ? filterAuth : null].filter((rule) => rule !== null);
    if (filter === null && filterAuth === null) return;
    const isKnown = rules.every(({ reads }) => reads.fields.size + reads.query.size + reads.body.size === 0);
    const bindings = new RequestBindings(caller, []);
    if (isKnown && !rules.some((rule) => evaluateRule(rule, noRecord, bindings))) throw mayNotCreate();
  }

  /** Throws for a caller who may not change the record, or where there is no room for the change: 401, 403, 404, 503. */
  async requireUpdate(request: MediaRequest, id: string): Promise<void> {
    const { records, type } = this.#parts;
    await records.requireUpdate({ type, ...request, id });
    records.database.requireRoom?.();
  }

  /** Stores bytes that no record has yet; `create`, `replace` or `discard` has to follow. `types`: those to take instead of all that are allowed. */
  ingest(bytes: AsyncIterable<Uint8Array>, types?: readonly string[]): Promise<IngestedFile> {
    const { storage, limits } = this.#parts;
    return ingestFile(storage, bytes, types === undefined ? limits : { ...limits, types });
  }

  /** Creates the record of stored bytes. They are removed where it cannot be created. */
  create(request: MediaRequest, file: IngestedFile, payload: Payload, also?: AlsoStored): Promise<Created> {
    return this.#settled(
      file,
      async () => {
        const { records, type } = this.#parts;
        const facts = await storedFacts(this.#parts.storage, file);
        const named = { ...payload, name: nameOf(payload.name, file) };
        return records.prepareCreate({ type, ...request, search: '', payload: named, act: () => facts });
      },
      also,
    );
  }

  /** Gives a record other bytes, under the same id. */
  replace(request: MediaRequest, id: string, file: IngestedFile, ifMatch: string | null): Promise<Answer> {
    return this.#settled(file, async () => {
      const { records, type } = this.#parts;
      const facts = await storedFacts(this.#parts.storage, file);
      const act = (_: unknown, current: ChangedValues): ChangedValues => {
        const changed = { ...facts, crop: cropAfter(current, { ...current, ...facts }) };
        return { ...changed, ...addressesOf(id, { ...current, ...changed }) };
      };
      return records.prepareUpdate({ type, ...request, id, search: '', payload: {}, ifMatch, action: 'replace', act });
    });
  }

  /** Removes stored bytes that no record will have. */
  async discard({ key }: Pick<IngestedFile, 'key'>): Promise<void> {
    const { storage, log } = this.#parts;
    // What is left is removed by a sweep.
    await storage.delete(key).catch((error: unknown) => log.warn({ err: error, key }, 'an unused file is left'));
  }

  async #settled<T>(
    file: IngestedFile,
    prepare: () => Promise<PreparedWrite<T>>,
    also?: (transaction: Transaction, result: T) => Promise<void>,
  ): Promise<T> {
    const { records, store } = this.#parts;
    // Nothing of it is in the database yet, whatever the failure is.
    const write = await prepare().catch(async (error: unknown) => {
      await this.discard(file);
      throw error;
    });
    try {
      let kept = file.key;
      const run: PreparedWrite<T>['run'] = async (transaction) => {
        kept = await store.claim(transaction, file, Date.now());
        const result = await write.run(transaction);
        await also?.(transaction, result);
        return result;
      };
      const done = await records.runInTransaction({ type: write.type, run });
      if (kept !== file.key) await this.discard(file);
      return done;
    } catch (error) {
      // After any other failure the record may be there all the same.
      if (error instanceof Problem && error.status < 500) await this.discard(file);
      throw error;
    }
  }
}

const nameOf = (sent: unknown, { mimeType }: IngestedFile): string => {
  if (typeof sent === 'string' && sent !== '') return cleanFileName(sent);
  const ending = mimeType.split('/')[1]?.replace(/[^a-z0-9]/g, '') ?? '';
  return mimeType === 'application/octet-stream' || ending.length > 5 ? 'file' : `file.${ending}`;
};

export const mayNotCreate = (): Problem => forbidden('rule_refused', 'You may not create this media.');

/** For rules that read no record. */
const noRecord: RuleRecord = { get: () => null, related: () => null, count: () => 0, holdsForAny: () => false };
