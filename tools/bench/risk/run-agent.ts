import type { ConductOutcome } from '@svc/domain/risk/conduct/classify-outcome.ts';
import { type Conduct, computeSlot, newConduct } from '@svc/domain/risk/conduct/conduct.ts';
import { encodeConduct } from '@svc/domain/risk/conduct/encode-conduct.ts';
import { foldAction } from '@svc/domain/risk/conduct/fold-action.ts';
import type { Mark } from '@svc/domain/risk/conduct/mark.ts';
import { prepareSettings } from '@svc/domain/risk/risk-settings/resolve-settings.ts';
import { assessRisk, type Risk } from '@svc/domain/risk/risk-signals/assess-risk.ts';

/** One request of an imaginary agent. */
export type BenchAction = {
  readonly atMs: number;
  readonly tool: string;
  readonly destination: string;
  readonly network: string;
  readonly record: string | null;
  readonly amount: number | null;
  readonly text?: string;
  readonly outcome?: ConductOutcome;
};

const RULES = prepareSettings('PRODUCTION', {});
export const BENCH_THRESHOLDS = RULES.thresholds;

/** A hash of a name as two words; the product's is keyed. */
const readMark = (name: string): Mark => {
  let [high, low] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ (code + at), 0x85ebca6b);
    low ^= low >>> 13;
  }
  return [high >>> 0, low >>> 0];
};

/** An agent with the history that its actions leave, as the product keeps it. */
export const newBenchAgent = () => {
  const conduct: Conduct = newConduct();
  let [slot, calls] = [0, 0];
  return {
    /** Bytes of the history as it is stored. */
    measureHistory: (): number => encodeConduct(conduct).byteLength,
    /** The risk of a request, which then becomes part of the history. */
    act: ({ atMs, tool, destination, network, record, amount, text = 'Hello.', outcome = 'permitted' }: BenchAction): Risk => {
      const marks = { tool: readMark(tool), destination: readMark(destination), network: readMark(network) };
      calls = computeSlot(atMs) === slot ? calls + 1 : 1;
      slot = computeSlot(atMs);
      const recordMark = record === null ? null : readMark(record);
      const risk = assessRisk(
        {
          nowMs: atMs,
          localHour: new Date(atMs).getUTCHours(),
          isWeekend: false,
          rules: RULES,
          conduct,
          recent: { calls, refusedInRow: conduct.refusedInRow, refusedNames: 0, contexts: new Set() },
          tool: { name: tool, mark: marks.tool, kind: 'HTTP', risk_rating: 'LOW', changedAt: null },
          isNewlyAuthorized: false,
          isOutgoing: true,
          destination: { name: destination, mark: marks.destination, isInternal: false },
          network: { name: network, mark: marks.network, isNamed: false },
          record: record === null || recordMark === null ? null : { name: record, mark: recordMark },
          amount: amount === null ? null : { value: amount, currency: 'EUR' },
          key: { generation: 1, createdAt: '2026-01-01T00:00:00.000Z' },
          parameters: { text },
          parametersSchema: {},
        },
        [],
      );
      foldAction(conduct, {
        atMs,
        outcome,
        trace: { ...marks, record: recordMark, amount, beganContext: false },
        counted: risk.signals.map(({ family, counted }) => ({ family, points: counted })),
      });
      return risk;
    },
  };
};
