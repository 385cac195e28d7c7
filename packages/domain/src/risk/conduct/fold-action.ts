import { RISK_FAMILIES, type RiskFamily } from '@svc/contract/risk/signal-table.ts';
import { learnAmount, newAmounts } from './amounts.ts';
import { countSlot } from './baseline.ts';
import { isKnown, learn } from './bloom.ts';
import type { ConductOutcome } from './classify-outcome.ts';
import {
  CALLS_FLOOR,
  type Conduct,
  computeHour,
  computeSlot,
  HALF_LIFE_SECONDS,
  type Habit,
  NETWORKS_KEPT,
  RECORDS_FLOOR,
  REFUSED_KEPT,
  TOOLS_WITH_AMOUNTS,
} from './conduct.ts';
import type { ConductTrace } from './conduct-trace.ts';
import { addDistinct, countDistinct } from './distinct.ts';
import type { Mark } from './mark.ts';

/** A recorded decision as histories learn it. */
export type FoldedAction = {
  readonly atMs: number;
  readonly outcome: ConductOutcome;
  readonly trace: ConductTrace;
  /** Points that counted, by family. */
  readonly counted: readonly { readonly family: RiskFamily; readonly points: number }[];
};

const isSame = (one: Mark, other: Mark): boolean => one[0] === other[0] && one[1] === other[1];

const HABIT_WEIGHT = 1 - 2 ** (-1 / 200);
const HOURS_HALVED_AT = 50_000;

const learnHabit = ({ habits }: Conduct, habit: Habit, fired: boolean): void => {
  habits[habit] += HABIT_WEIGHT * ((fired ? 1 : 0) - habits[habit]);
};

const learnNames = (conduct: Conduct, { tool, destination, network }: ConductTrace, atMs: number): void => {
  if (tool !== null) {
    learnHabit(conduct, 'first_tool_use', !isKnown(conduct.tools, tool));
    learn(conduct.tools, tool, atMs);
  }
  if (destination !== null) {
    learnHabit(conduct, 'new_destination', !isKnown(conduct.destinations, destination));
    learn(conduct.destinations, destination, atMs);
  }
  if (network !== null) {
    const others = conduct.networks.filter((known) => !isSame(known, network));
    learnHabit(conduct, 'new_source_address', others.length === conduct.networks.length);
    conduct.networks = [...others, network].slice(-NETWORKS_KEPT);
  }
};

const learnTime = ({ hours }: Conduct, atMs: number): void => {
  const hour = new Date(atMs).getUTCHours();
  hours[hour] = (hours[hour] as number) + 1;
  if (hours.reduce((sum, weight) => sum + weight, 0) > HOURS_HALVED_AT)
    for (let at = 0; at < hours.length; at += 1) hours[at] = (hours[at] as number) / 2;
};

const learnAmounts = ({ amounts, toolAmounts }: Conduct, { tool, amount }: ConductTrace): void => {
  if (amount === null) return;
  learnAmount(amounts, amount);
  if (tool === null) return;
  let own = toolAmounts.find(({ mark }) => isSame(mark, tool));
  if (own === undefined && toolAmounts.length < TOOLS_WITH_AMOUNTS) {
    own = { mark: tool, uses: 0, amounts: newAmounts() };
    toolAmounts.push(own);
  }
  if (own === undefined) return;
  own.uses += 1;
  learnAmount(own.amounts, amount);
};

const learnRecord = (conduct: Conduct, record: Mark | null, atMs: number): void => {
  if (record === null) return;
  const hour = computeHour(atMs);
  if (hour > conduct.records.slot) conduct.registers.fill(0);
  if (hour >= conduct.records.slot) addDistinct(conduct.registers, record);
  countSlot(conduct.records, hour, () => countDistinct(conduct.registers), RECORDS_FLOOR);
};

const learnPermitted = (conduct: Conduct, { atMs, trace }: FoldedAction): void => {
  conduct.permitted += 1;
  if (conduct.firstAt === 0) conduct.firstAt = atMs;
  conduct.refusedInRow = 0;
  learnNames(conduct, trace, atMs);
  learnTime(conduct, atMs);
  learnAmounts(conduct, trace);
  learnRecord(conduct, trace.record, atMs);
};

const noteRefused = (conduct: Conduct, { atMs, outcome, trace }: FoldedAction): void => {
  conduct.refused += 1;
  conduct.refusedInRow += 1;
  if (outcome !== 'probing' || trace.tool === null) return;
  const [, word] = trace.tool;
  const others = conduct.refusedNames.filter((name) => name.word !== word);
  conduct.refusedNames = [...others, { word, at: Math.floor(atMs / 1000) }].slice(-REFUSED_KEPT);
};

/** The last points of each family; smaller ones replace larger ones only once those have decayed. */
const noteRisk = ({ families }: Conduct, { counted, atMs }: FoldedAction): void => {
  const now = Math.floor(atMs / 1000);
  for (const { family, points } of counted) {
    const last = families[RISK_FAMILIES.indexOf(family)];
    if (last === undefined || points < last.points * 2 ** (-Math.max(0, now - last.at) / HALF_LIFE_SECONDS)) continue;
    last.points = points;
    last.at = now;
  }
};

/** Adds one recorded decision to the history of its agent. */
export const foldAction = (conduct: Conduct, action: FoldedAction): void => {
  const { atMs, outcome, trace } = action;
  conduct.lastAt = Math.max(conduct.lastAt, atMs);
  noteRisk(conduct, action);
  if (trace.beganContext) countSlot(conduct.contexts, computeHour(atMs), (count) => count + 1, CALLS_FLOOR);
  if (outcome === 'none') return;
  countSlot(conduct.calls, computeSlot(atMs), (count) => count + 1, CALLS_FLOOR);
  if (outcome === 'permitted') learnPermitted(conduct, action);
  else noteRefused(conduct, action);
};
