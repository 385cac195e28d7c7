import { RISK_FAMILIES } from '@svc/contract/risk/signal-table.ts';
import { newAmounts } from './amounts.ts';
import { type Baseline, newBaseline } from './baseline.ts';
import { type Bloom, newBloom } from './bloom.ts';
import { newRegisters } from './distinct.ts';
import type { Mark } from './mark.ts';

/** Signals that become habits: an agent for which they fire often does so by design. */
export const HABITS = ['first_tool_use', 'new_destination', 'new_source_address', 'unusual_hour'] as const;
export type Habit = (typeof HABITS)[number];

export const TOOLS_WITH_AMOUNTS = 3;
export const NETWORKS_KEPT = 16;
export const REFUSED_KEPT = 16;

/** Amounts of one tool. */
export type ToolAmounts = { mark: Mark; uses: number; readonly amounts: Uint16Array };
/** A refused name and when, in seconds since 1970. */
export type RefusedName = { readonly word: number; readonly at: number };
/** Points of a family when it last fired, and when, in seconds since 1970. */
export type FamilyRisk = { points: number; at: number };

/** History of an agent in constant space. Only permitted actions teach what is usual. */
export type Conduct = {
  permitted: number;
  refused: number;
  /** First permitted action and the last folded one, in milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
  readonly tools: Bloom;
  readonly destinations: Bloom;
  networks: Mark[];
  readonly amounts: Uint16Array;
  readonly toolAmounts: ToolAmounts[];
  readonly calls: Baseline;
  readonly contexts: Baseline;
  readonly records: Baseline;
  readonly registers: Uint8Array;
  readonly hours: Float32Array;
  refusedInRow: number;
  refusedNames: RefusedName[];
  readonly habits: Record<Habit, number>;
  readonly families: FamilyRisk[];
  /**
   * State of risk.threshold_exceeded: if it may be emitted, the last reported risk and its time, and since when the risk is low (seconds).
   */
  armed: boolean;
  toldRisk: number;
  toldAt: number;
  lowSince: number;
};

export const newConduct = (): Conduct => ({
  permitted: 0,
  refused: 0,
  firstAt: 0,
  lastAt: 0,
  tools: newBloom(128, 4),
  destinations: newBloom(256, 5),
  networks: [],
  amounts: newAmounts(),
  toolAmounts: [],
  calls: newBaseline(),
  contexts: newBaseline(),
  records: newBaseline(),
  registers: newRegisters(),
  hours: new Float32Array(24),
  refusedInRow: 0,
  refusedNames: [],
  habits: { first_tool_use: 0, new_destination: 0, new_source_address: 0, unusual_hour: 0 },
  families: RISK_FAMILIES.map(() => ({ points: 0, at: 0 })),
  armed: true,
  toldRisk: 0,
  toldAt: 0,
  lowSince: 0,
});

const SLOT_MS = 300_000;
const HOUR_MS = 3_600_000;
export const CALLS_FLOOR = 20;
export const RECORDS_FLOOR = 30;

export const computeSlot = (atMs: number): number => Math.floor(atMs / SLOT_MS);
export const computeHour = (atMs: number): number => Math.floor(atMs / HOUR_MS);

export const HALF_LIFE_SECONDS = 1_800;

const pointsLeft = ({ families }: Pick<Conduct, 'families'>, nowMs: number): number[] =>
  families.map(({ points, at }) => points * 2 ** (-Math.max(0, nowMs / 1000 - at) / HALF_LIFE_SECONDS));

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Risk of the agent now: the last points of each family, halved every 30 minutes. */
export const agentRisk = (conduct: Pick<Conduct, 'families'>, nowMs: number): number =>
  Math.min(100, Math.round(sumOf(pointsLeft(conduct, nowMs))));

/** The part of each family in the risk of the agent now, as integers whose sum is the rounded sum of the exact parts. */
export const getAgentRiskParts = (conduct: Pick<Conduct, 'families'>, nowMs: number): number[] => {
  const exact = pointsLeft(conduct, nowMs);
  const parts = exact.map(Math.floor);
  const missing = Math.round(sumOf(exact)) - sumOf(parts);
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value % 1 }))
    .toSorted((one, other) => other.remainder - one.remainder);
  for (const { index } of byRemainder.slice(0, missing)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
};
