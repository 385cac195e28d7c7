import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { CHUNK_LEAVES, SEGMENT_CHUNKS } from '@svc/domain/events/audit-searches/bloom-positions.ts';
import { newEventNoter } from '@svc/domain/events/audit-searches/filters.ts';
import { newSignature } from '@svc/domain/events/audit-searches/new-signature.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import {
  type Due,
  keepSegment,
  putBackMarks,
  readChunksToSum,
  type SearchSegment,
  sweepSegments,
  takeDue,
} from '@svc/postgres/events/search/sum-up.ts';
import type { Logger } from 'pino';

export type SummingUp = { readonly stop: () => Promise<void> };

const AT_ONCE = LIMITS.search.leavesAtOnceMax / CHUNK_LEAVES;

/** Reads a segment in parts, and builds its search signature. */
export const sumUp = async (reader: Database, due: Due): Promise<SearchSegment> => {
  const signature = newSignature();
  const noter = newEventNoter(signature);
  const chunks: { first: string | null; last: string | null }[] = [];
  for (let from = 0; from < SEGMENT_CHUNKS; from += AT_ONCE) {
    const read = new Map(
      (await readChunksToSum(reader, { ...due, leaves: due.leaves + from * CHUNK_LEAVES })).map((each) => [each.chunk, each]),
    );
    for (let chunk = 0; chunk < AT_ONCE; chunk += 1) {
      const { first = null, last = null, events = [] } = read.get(chunk) ?? {};
      chunks.push({ first, last });
      noter.beginChunk();
      for (const event of events) noter.note(event);
    }
    // Other work of this process runs in between.
    await nextTurn();
  }
  return { ...signature.finish(), chunks };
};

/**
 * Summarizes sealed events for searches, segment by segment, until stopped. It rests in between, so that it uses a small part of a
 * processor with any backlog; any number of processes may run it.
 */
export const sumUpEvents = ({ reader, log }: { readonly reader: Database; readonly log: Logger }): SummingUp => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let sweptAt = -LIMITS.search.sweepEveryMs;
  const step = async (): Promise<boolean> => {
    if (performance.now() - sweptAt > LIMITS.search.sweepEveryMs) {
      sweptAt = performance.now();
      await sweepSegments(reader);
      await putBackMarks(reader);
    }
    const due = await takeDue(reader);
    if (due === undefined) return false;
    await keepSegment(reader, due, await sumUp(reader, due));
    return true;
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const begun = performance.now();
      const isBusy = await runOrRefuse(step, (err) => {
        log.error({ err }, 'indexing events for searches failed and will be retried');
      });
      const restMs = LIMITS.search.restsCount * (performance.now() - begun);
      await Promise.allSettled([sleep(isBusy === true ? restMs : LIMITS.search.lookEveryMs, undefined, { signal })]);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
