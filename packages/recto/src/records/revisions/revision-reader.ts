import type { SqlValue } from '../../base/bindings.ts';
import type { Caller } from '../../base/caller.ts';
import { notFound } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { Language } from '../../definition/languages/languages.ts';
import { rightsOf } from '../../definition/rights/read-view.ts';
import type { TypeRights } from '../../definition/rights/type-rights.ts';
import { withoutPrivate } from '../../definition/structure/private-members.ts';
import { offsetOf, type Paging } from '../../query/query-text.ts';
import type { IncludeTree } from '../../query/record-parts.ts';
import type { Rule } from '../../rules/rule.ts';
import { type Answer, answerOf, withinBudget } from '../answers/answer.ts';
import { cutRecord } from '../answers/truncated-lists.ts';
import { populate } from '../read/populate.ts';
import type { GetRequest } from '../read/record-reader.ts';
import type { ReadContext } from '../select/read-context.ts';
import { ageLimit, isMoving, type RevisionBody, type RevisionHead } from './revision.ts';
import { inAllLanguages, inOneLanguage, translatedMember, translatedName } from './revision-body.ts';
import { type HeadRow, headOf, RevisionStatements } from './revision-statements.ts';

/** Whose versions are asked for, by an editor or admin. */
export interface RevisionsRequest {
  readonly type: ContentType;
  readonly caller: Caller;
  readonly id: string;
  /** The parameters with which admins ask for records that protocols hide, as a raw query string. */
  readonly search: string;
}

/** A version as a caller may know it. */
export interface VisibleRevision {
  /** The record's id. */
  readonly id: string;
  readonly head: RevisionHead;
  readonly body: RevisionBody;
}

/** A record whose versions a role may read by a rule. */
export interface RuledRevisions {
  readonly type: ContentType;
  readonly id: string;
  readonly caller: Caller;
  /** The role's rule of who may get a record. */
  readonly rule: Rule;
}

/** What is read with the means of other modules. */
interface Sources {
  /** A record as its caller may see it. */
  get(request: GetRequest): Promise<Answer>;
  /** The numbers of the versions for which a role's rule holds. */
  ruled(asked: RuledRevisions): Promise<ReadonlySet<number>>;
}

/** A write that is ready for its transaction. */
export interface NamingOfRevision {
  readonly type: ContentType;
  run(transaction: Transaction): Promise<Answer>;
}

/**
 * Reads versions of records. Only admins see what was private then or is private now: others do not get those
 * fields, nor a version in which nothing else changed.
 */
export class RevisionReader {
  readonly #context: ReadContext;
  readonly #sources: Sources;
  readonly #statements: RevisionStatements;

  constructor(context: ReadContext, sources: Sources) {
    this.#context = context;
    this.#sources = sources;
    this.#statements = new RevisionStatements(context);
  }

  /** A page of a record's versions, newest first. 404 for a record that the caller does not find. */
  async list(request: RevisionsRequest, paging: Paging): Promise<Answer> {
    const { heads } = await this.#find(request);
    const { page, pageSize } = paging;
    const items = heads.slice(offsetOf(paging), page * pageSize).map(shownHead);
    return answerOf(JSON.stringify({ items, total: heads.length, page, page_size: pageSize }));
  }

  /** With the records that `include` names as they are now. `language`: whose words it has; absent: the default's. */
  async get(
    request: RevisionsRequest,
    revision: number,
    include: IncludeTree = [],
    language?: Language,
  ): Promise<Answer> {
    const { type, caller } = request;
    const { head, body: whole } = await this.read(request, revision);
    const body = inOneLanguage(type, whole, language ?? this.#context.types.languages.default);
    const isIncluded = new Set(include.map(({ field }) => field.name));
    const parts = Object.groupBy(Object.entries(body), ([name]) => (isIncluded.has(name) ? 'included' : 'ids'));
    const values = {
      ...cutRecord(type, Object.fromEntries(parts.ids ?? [])),
      ...Object.fromEntries(parts.included ?? []),
    };
    const record = await populate(type, values, { context: this.#context, caller, include, showsFiles: false });
    return answerOf(withinBudget(JSON.stringify({ ...shownHead(head), record }), this.#context.budget));
  }

  /** The JSON Patch that makes the one version of the other. */
  async difference(request: RevisionsRequest, from: number, to: number): Promise<Answer> {
    const before = await this.read(request, from);
    const after = await this.read(request, to);
    const { jsonPatch } = await import('./json-patch.ts');
    const { tag } = this.#context.types.languages.default;
    const inAll = (body: RevisionBody) => inAllLanguages(request.type, body, tag);
    return answerOf(JSON.stringify(jsonPatch(inAll(before.body), inAll(after.body))));
  }

  /**
   * Prepares a name for a version, which then stays however many follow it; null takes the name away. Returns the version without its
   * record.
   */
  async prepareName(request: RevisionsRequest, revision: number, name: string | null): Promise<NamingOfRevision> {
    const { type } = request;
    const { id, head } = await this.read(request, revision);
    const whose = { type: type.singular, record: id };
    return {
      type,
      run: async (transaction) => {
        // A write that removed it came between.
        if ((await transaction.run(this.#statements.name(whose, revision, name))) === 0) throw noRevision();
        return answerOf(JSON.stringify(shownHead({ ...head, name })));
      },
    };
  }

  /** One version; 404 for one that is not kept, or not visible to this caller. */
  async read(request: RevisionsRequest, revision: number): Promise<VisibleRevision> {
    const { type, caller } = request;
    const { id, heads } = await this.#find(request);
    const head = heads.find((each) => each.revision === revision);
    if (head === undefined) throw noRevision();
    const { database } = this.#context;
    const whose = { type: type.singular, record: id };
    const row = await database.first<{ body: SqlValue }>(this.#statements.body(whose, revision));
    // A write that removed it came between.
    if (row === undefined) throw noRevision();
    const rights = this.#rights(type, caller);
    const isVisible = visibleNames(type, rights);
    // The column only ever gets what `revisionBody` makes.
    const body = JSON.parse(String(row.body)) as RevisionBody;
    const shown = rights.readsPrivateHistory ? body : withoutPrivateMembers(type, body);
    const visible = Object.fromEntries(Object.entries(shown).filter(([name]) => isVisible(head, name)));
    return { id, head, body: withVisibleTags(visible) };
  }

  #rights(type: ContentType, caller: Caller): TypeRights {
    return rightsOf(caller, this.#context.types.roles).of(type);
  }

  /** The record's id and its kept versions that the caller may see, newest first. */
  async #find({ type, caller, id, search }: RevisionsRequest): Promise<{ id: string; heads: readonly RevisionHead[] }> {
    const retention = type.facts.revisions;
    if (retention === undefined) throw new Error(`Versions of ${type.singular} are not kept.`);
    const answer = await this.#sources.get({ type, view: 'admin', caller, id, search });
    const found: unknown = JSON.parse(String(answer.body)).id;
    const record = String(found);
    const rows = await this.#context.database.rows<HeadRow>(this.#statements.heads({ type: type.singular, record }));
    const oldest = ageLimit(retention, new Date().toISOString());
    const kept = withinLimits(rows.map(headOf), retention.keep).filter(
      ({ at }, place) => place === 0 || oldest === undefined || at >= oldest,
    );
    const rights = this.#rights(type, caller);
    const isVisible = visibleNames(type, rights);
    const { get: rule } = rights.rows;
    const writer = type.field.get('updated_by');
    const isNamed = writer === undefined || rights.reads(writer);
    // Who gets the record as it is may not have got it as it was.
    const ruled = typeof rule === 'string' ? undefined : await this.#sources.ruled({ type, id: record, caller, rule });
    const heads = kept.flatMap((head) => {
      if (ruled?.has(head.revision) === false) return [];
      const changed = head.changed.filter((name) => isVisible(head, name));
      return changed.length === 0 && head.changed.length > 0
        ? []
        : [{ ...head, changed, ...(isNamed ? {} : noAuthor) }];
    });
    return { id: record, heads };
  }
}

const withoutPrivateMembers = (type: ContentType, body: RevisionBody): RevisionBody =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const field = type.field.get(translatedName(name)?.field ?? name);
      return [name, field === undefined ? value : withoutPrivate(field, value)];
    }),
  );

/** A version that names no language in which nothing of it is visible. */
function withVisibleTags(body: RevisionBody): RevisionBody {
  if (body[translatedMember] === undefined) return body;
  const tags = new Set(Object.keys(body).flatMap((name) => translatedName(name)?.tag ?? []));
  return { ...body, [translatedMember]: [...tags] };
}

/** Of a version, to a role that does not read who wrote the record. */
const noAuthor = { author: null, authorKind: null } as const;

const noRevision = () => notFound('There is no such revision.');

/** Whether a caller may see a field of a version. Of a removed field nobody knows whether it would be private now, so only admins see it. */
function visibleNames(type: ContentType, rights: TypeRights): (head: RevisionHead, name: string) => boolean {
  return ({ privateFields }, member) => {
    if (member === translatedMember) return true;
    const name = translatedName(member)?.field ?? member;
    const field = type.field.get(name);
    if (field?.type.secret === true) return false;
    if (rights.readsPrivateHistory) return true;
    return field !== undefined && rights.reads(field) && !field.private && !privateFields.has(name);
  };
}

/** As many as a type keeps, newest first: so many kept ones, with those of autosaves between them, and all that have a name. */
function withinLimits(heads: readonly RevisionHead[], keep: number): readonly RevisionHead[] {
  let [kept, moving] = [0, 0];
  return heads.filter((head) => {
    if (isMoving(head)) return kept < keep && ++moving <= keep;
    kept += 1;
    return kept <= keep || head.name !== null;
  });
}

const shownHead = ({ revision, action, author, authorKind, at, restoredFrom, changed, name }: RevisionHead) => ({
  revision,
  action,
  author,
  author_kind: authorKind,
  at,
  restored_from: restoredFrom,
  changed,
  name,
});
