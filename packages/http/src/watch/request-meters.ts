import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { ERROR_CODES } from '@svc/contract/tables/errors.ts';
import { newCounter } from '@svc/program/metrics/counter.ts';
import { newHistogram } from '@svc/program/metrics/histogram.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';
import type { RequestTelemetry } from './answered.ts';
import { PARTS, type RequestTrace, type TracePart } from './course.ts';
import { newDecisionCounts } from './decision-counts.ts';

/** Limits that may refuse a request: a rate limit by the name in rows, or the slots for concurrent decisions. */
export const REFUSING_BUDGETS = [
  'caller',
  'emergency',
  'agent',
  'directory',
  'guess',
  'sign_in',
  'mail',
  'newcomer',
  'sign_in_start',
  'assertion',
  'address',
  'bytes',
  'place_of_organization',
  'place',
] as const;
export type RefusingBudget = (typeof REFUSING_BUDGETS)[number];

export type RequestMeters = {
  /** Counts an answered request; `endedMs` by the monotonic clock. */
  readonly note: (course: RequestTrace, answered: RequestTelemetry, endedMs: number) => void;
  readonly refused: (budget: RefusingBudget) => void;
  readonly metrics: readonly Metric[];
};

const SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const OTHER = 'other';
const NO_ERROR = 'none';

const listOperations = (plane: Endpoint['plane']): readonly string[] =>
  (Object.entries(ENDPOINTS) as [string, Endpoint][]).flatMap(([operation, row]) => (row.plane === plane ? [operation] : []));

const newMeters = (plane: Endpoint['plane']) => ({
  requests: newHistogram<string>({
    name: 'svc_request_duration_seconds',
    help: 'Requests by operation, from receiving the headers to the end of the response.',
    label: 'operation',
    values: [...listOperations(plane), OTHER],
    bounds: SECONDS,
    skipsUnused: true,
  }),
  parts: newHistogram<TracePart>({
    name: 'svc_action_part_duration_seconds',
    help: 'Requests with a decision, by part; a part that ran more than once counts once, with its total time.',
    label: 'part',
    values: PARTS,
    bounds: SECONDS,
  }),
  answers: newCounter<string>('svc_answers_total', 'Error responses by code.', 'code', [NO_ERROR, ...ERROR_CODES]),
  decisions: newDecisionCounts('svc_decisions_total'),
  repeats: newCounter('svc_decision_repeats_total', 'Repeated decisions, by reason.', 'why', ['moved', 'no_room']),
  refused: newCounter('svc_refused_by_budget_total', 'Rate-limited requests, by budget.', 'budget', REFUSING_BUDGETS),
});

/** Returns the total time of each part. */
const partTimes = ({ parts, began }: RequestTrace, endedMs: number): Map<TracePart, number> => {
  const times = new Map<TracePart, number>();
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] as TracePart;
    const ms = (began[index + 1] ?? endedMs) - (began[index] as number);
    times.set(part, (times.get(part) ?? 0) + ms);
  }
  return times;
};

/** Creates the counters of requests: a few array cells for each. */
export const newRequestMeters = (plane: Endpoint['plane']): RequestMeters => {
  const { requests, parts, answers, decisions, repeats, refused } = newMeters(plane);
  return {
    note: (course, { operation, code }, endedMs) => {
      requests.observe(operation, (endedMs - (course.began[0] ?? endedMs)) / 1000);
      answers.count(code ?? NO_ERROR);
      const { decision, moved, no_room } = course.outcome;
      if (decision === undefined) return;
      decisions.count(decision);
      if (moved > 0) repeats.count('moved', moved);
      if (no_room > 0) repeats.count('no_room', no_room);
      for (const [part, ms] of partTimes(course, endedMs)) parts.observe(part, ms / 1000);
    },
    refused: refused.count,
    metrics: [requests, parts, answers, decisions, repeats, refused].map((meter) => meter.metric),
  };
};
