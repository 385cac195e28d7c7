import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import { claimLogs } from '@svc/postgres/audit/anchors/claim-logs.ts';
import type { Anchor } from './anchor.ts';
import { type AnchoringDeps, anchorLog } from './anchor-log.ts';
import type { AnchorMeter } from './anchor-meter.ts';

const { atOnceMax, restMsMax } = LIMITS.anchors;

type Round = { readonly isFull: boolean; readonly isDown: boolean };

/** Runs one round for an anchor: waiting logs in order, with bounded concurrency. */
const runRound = async (deps: AnchoringDeps, anchor: Anchor, meter: AnchorMeter): Promise<Round> => {
  const claimed = await claimLogs(deps.reader, anchor.name, atOnceMax);
  const came = await Promise.all(claimed.map((log) => anchorLog(deps, anchor, log)));
  for (const { kind } of came) meter.came(anchor.name, kind);
  return { isFull: claimed.length === atOnceMax, isDown: came.length > 0 && came.every(({ kind }) => kind === 'failed') };
};

const runAnchor = async (deps: AnchoringDeps, anchor: Anchor, meter: AnchorMeter, signal: AbortSignal): Promise<void> => {
  let waitMs = deps.lookEveryMs;
  while (!signal.aborted) {
    const round = await runOrRefuse(
      () => runRound(deps, anchor, meter),
      (err) => deps.log.error({ err, anchor: anchor.name }, 'anchoring audit logs failed and will be retried'),
    );
    const isDown = isRefusal(round) || round.isDown;
    // The backoff of an anchor that accepts nothing doubles, for any number of waiting logs.
    waitMs = isDown ? Math.min(waitMs * 2, restMsMax) : deps.lookEveryMs;
    if (isRefusal(round) || isDown || !round.isFull) await Promise.allSettled([sleep(waitMs, undefined, { signal })]);
  }
};

/** Anchors logs separately for each anchor, so that a hanging one delays no other. Any number of processes may run it. */
export const runAnchors = (deps: AnchoringDeps, anchors: readonly Anchor[], meter: AnchorMeter) => {
  const stopping = new AbortController();
  const running = anchors.map((anchor) => runAnchor(deps, anchor, meter, stopping.signal));
  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
