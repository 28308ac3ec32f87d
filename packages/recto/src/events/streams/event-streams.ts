import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Records } from '../../records/records.ts';
import type { EventLog } from '../event-log.ts';
import { type LogPage, readPage } from '../log-pages.ts';
import { EventStream, type StreamSink } from './event-stream.ts';
import { resumePosition } from './resume-position.ts';
import { RightsCheck, type StreamHolder } from './stream-holder.ts';
import type { StreamInterest } from './stream-interest.ts';
import { openingText, pingText, positionText, resetText } from './stream-message.ts';
import { type Messages, messagesOf, SharedSights } from './stream-messages.ts';
import { type StreamLimits, StreamPlaces } from './stream-places.ts';
import { eventsOf, namesIn } from './stream-types.ts';

export interface EventStreamsOptions {
  readonly log: EventLog;
  /** The records of the current content types. */
  readonly records: () => MaybePromise<Records>;
  /** Another number as soon as any right of any account is revoked. */
  readonly rights: () => MaybePromise<number>;
  /** Called with what prevents events from being sent; it is tried again. */
  readonly onError: (error: unknown) => void;
  readonly limits: StreamLimits;
}

/** A client that opens a stream. */
export interface StreamOpening {
  readonly sink: StreamSink;
  readonly interest: StreamInterest;
  /** The `Last-Event-ID` header; null: from now on. */
  readonly lastEventId: string | null;
  readonly holder: StreamHolder;
}

/** The streams of callers whose interest is equal. */
interface Group {
  readonly interest: StreamInterest;
  readonly streams: Set<EventStream>;
}

/** Events that are dealt with at once. */
const slice = 200;

/** How long events are gathered while many come, in milliseconds. */
const gatherMs = 25;

/** How often all rights are looked at, in milliseconds. */
const sweepMs = 1_000;

/** Sweeps from one sign of life to the next. */
const pingSweeps = 15;

/** How long it takes until it is tried again, where the database is away, in milliseconds. */
const retryMs = 250;

const encoder = new TextEncoder();

/**
 * The open streams of this process. One reader of the log serves them all; streams with an equal interest share what is found
 * out for them, and callers who see the same share the reading.
 */
export class EventStreams {
  readonly places: StreamPlaces;
  readonly #options: EventStreamsOptions;
  readonly #groups = new Map<string, Group>();
  /** All streams have been sent the events up to this one. */
  #position = 0;
  /** The last event of those that are being sent. */
  #begun = 0;
  #rights = 0;
  #size = 0;
  #sweeps = 0;
  #stop: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  /** A number for each set of content types, later ones greater. */
  readonly #marks = new WeakMap<Records, number>();
  #lastMark = 0;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
    this.places = new StreamPlaces(options.limits);
  }

  /** How many are open. */
  get size(): number {
    return this.#size;
  }

  /** The number of the last event that was sent to all streams; null without one. */
  get position(): number | null {
    return this.#size === 0 ? null : this.#position;
  }

  /** To be called for each set of content types when it is made: streams of those before it end. */
  adopt(records: Records): void {
    this.#markOf(records);
  }

  /** Where a stream begins. Rejects where the database is away. */
  begin(interest: StreamInterest, lastEventId: string | null) {
    return resumePosition(this.#options.log, interest, lastEventId);
  }

  /** Sends events until the client goes, the rights end, or the service stops. */
  async run(
    { sink, interest, holder }: Omit<StreamOpening, 'lastEventId'>,
    start: Awaited<ReturnType<EventStreams['begin']>>,
  ) {
    const stream = new EventStream(sink, start.position, holder);
    this.#size += 1;
    try {
      await stream.write(start.isReset ? resetText(start.position) : openingText(start.position));
      const group = await this.#catchUp(stream, interest, start.last);
      if (group !== undefined) await this.#stay(stream, group);
    } finally {
      this.#size -= 1;
    }
  }

  /** Keeps nothing but the stream and its group while it is open: of its own interest, the group's takes the place. */
  #stay(stream: EventStream, group: Group): Promise<void> {
    return stream.ended.then(() => this.#leave(stream, group));
  }

  /**
   * Sends what the other streams have been sent already, and joins them. Returns their group; undefined where it ended before.
   * `last` is the number of the last event.
   */
  async #catchUp(stream: EventStream, interest: StreamInterest, last: number): Promise<Group | undefined> {
    if (this.#groups.size === 0 && this.#running === undefined) {
      this.#begun = Math.max(this.#begun, last);
      this.#position = this.#begun;
    }
    while (stream.isOpen) {
      if (stream.position >= this.#begun) return this.#join(stream, interest);
      const { events, through } = await this.#missed(stream, interest);
      const messages = await messagesOf(interest, events, new SharedSights());
      // Behind the reading: what was read may have been written for others, after the rights had ended.
      if (!(await this.#isCurrent(stream, interest))) return undefined;
      if (messages === 'reset') {
        stream.position = await this.#options.log.last();
        await stream.write(resetText(stream.position));
        continue;
      }
      const texts = messages.map(({ text }) => text);
      // Also where nothing was for it: it need not be gone through again.
      if (messages.at(-1)?.seq !== through) texts.push(positionText(through));
      await stream.write(texts.join(''));
      stream.position = through;
    }
    return undefined;
  }

  /** The next part of what a stream has missed. Only events of its types are read, and few numbers are gone through at a time. */
  #missed({ position }: EventStream, { types, account }: StreamInterest): Promise<LogPage> {
    const part = { after: position, end: this.#begun, where: [eventsOf(types, account)], names: namesIn(types) };
    return readPage(this.#options.log, part);
  }

  #join(stream: EventStream, interest: StreamInterest): Group {
    const group = this.#groups.get(this.#groupKey(interest)) ?? { interest, streams: new Set() };
    this.#groups.set(this.#groupKey(interest), group);
    group.streams.add(stream);
    this.#stop ??= this.#start();
    this.#look();
    return group;
  }

  #leave(stream: EventStream, group: Group): void {
    const key = this.#groupKey(group.interest);
    group.streams.delete(stream);
    if (group.streams.size === 0 && this.#groups.get(key) === group) this.#groups.delete(key);
    if (this.#groups.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  #start(): () => void {
    const ignore = this.#options.log.onEvents(() => this.#look());
    const timer = setInterval(() => {
      this.#sweeps += 1;
      this.#rights = Number.NaN;
      this.#look();
    }, sweepMs);
    timer.unref();
    return () => {
      ignore();
      clearInterval(timer);
    };
  }

  #look(): void {
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    this.#again = false;
    this.#running = this.#sendNew().finally(() => {
      this.#running = undefined;
      if (this.#again && this.#groups.size > 0) this.#look();
    });
  }

  async #sendNew(): Promise<void> {
    try {
      while (await this.#sendSome());
      if (this.#sweeps >= pingSweeps) this.#ping();
      await Bun.sleep(gatherMs);
    } catch (error) {
      this.#options.onError(error);
      this.#again = true;
      await Bun.sleep(retryMs);
    }
  }

  /** Returns false where there is nothing to send. */
  async #sendSome(): Promise<boolean> {
    const events = await this.#options.log.read({ after: this.#position, limit: slice });
    const last = events.at(-1);
    if (last === undefined) {
      await this.#endOutdated();
      return false;
    }
    this.#begun = last.seq;
    const groups = [...this.#groups.values()];
    const members = groups.map(({ streams }) => [...streams]);
    const sights = new Map(groups.map(({ interest: { records } }) => [records, new SharedSights()]));
    const results = await Promise.allSettled(
      groups.map(({ interest }) => messagesOf(interest, events, sights.get(interest.records) ?? new SharedSights())),
    );
    // Behind the reading: what was read may have been written for others, after some caller's rights had ended.
    await this.#endOutdated();
    const failed = results.find((result) => result.status === 'rejected');
    // All of them: the database is away, and it is tried again.
    if (failed !== undefined && results.every(({ status }) => status === 'rejected')) throw failed.reason;
    if (failed !== undefined) this.#options.onError(failed.reason);
    for (const [place, result] of results.entries()) sendTo(members[place] ?? [], result, last.seq);
    this.#position = last.seq;
    return true;
  }

  /** Ends streams whose content types are no longer served, and those whose caller has other rights by now. */
  async #endOutdated(): Promise<void> {
    const rights = await this.#options.rights();
    const haveChanged = rights !== this.#rights;
    this.#rights = rights;
    const current = this.#markOf(await this.#options.records());
    const check = new RightsCheck();
    for (const { interest, streams } of [...this.#groups.values()]) {
      // A stream may have been opened for newer ones meanwhile.
      const isServed = this.#markOf(interest.served) >= current;
      if (isServed && !haveChanged) continue;
      for (const stream of [...streams]) {
        const holds = isServed && check.holds(stream.holder, interest);
        if (holds === true || (holds !== false && (await holds))) continue;
        if (!isServed) stream.send(resetText(this.#position));
        stream.end();
        streams.delete(stream);
      }
    }
  }

  /** Whether what was found for a stream may be sent: by the rules of now, and to a caller whose rights are the same. */
  async #isCurrent(stream: EventStream, interest: StreamInterest): Promise<boolean> {
    const isServed = this.#markOf(interest.served) >= this.#markOf(await this.#options.records());
    return isServed && new RightsCheck().holds(stream.holder, interest);
  }

  /** Interests in different sets of content types are never equal. */
  #groupKey({ served, key }: StreamInterest): string {
    return `${this.#markOf(served)}|${key}`;
  }

  #markOf(records: Records): number {
    let mark = this.#marks.get(records);
    if (mark === undefined) {
      this.#lastMark += 1;
      mark = this.#lastMark;
      this.#marks.set(records, mark);
    }
    return mark;
  }

  #ping(): void {
    this.#sweeps = 0;
    const ping = encoder.encode(pingText);
    const both = encoder.encode(positionText(this.#position) + pingText);
    // One that has just come back may be ahead of what all have been sent.
    for (const { streams } of this.#groups.values())
      for (const stream of streams) stream.send(stream.position > this.#position ? ping : both);
  }
}

/** Sends streams of one group what was found for them, up to an event. */
function sendTo(streams: readonly EventStream[], result: PromiseSettledResult<Messages>, seq: number): void {
  // What fails for some must not hold up the others: these come back with their positions.
  if (result.status === 'rejected') {
    for (const stream of streams) stream.end();
    return;
  }
  const found = result.value;
  if (found === 'reset') {
    for (const stream of streams) stream.send(resetText(seq));
  } else {
    const all = encoder.encode(found.map(({ text }) => text).join(''));
    for (const stream of streams) stream.sendMessages(found, all);
  }
  for (const stream of streams) stream.position = Math.max(stream.position, seq);
}
