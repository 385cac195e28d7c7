import {
  RISK_FAMILIES,
  type RiskFamily,
  type RiskLevel,
  SIGNAL_TABLE,
  type SignalName,
  type SignalRow,
} from '@svc/contract/risk/signal-table.ts';
import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { type Conduct, HABITS, type Habit } from '../conduct/conduct.ts';
import type { RiskRules } from '../risk-settings/resolve-settings.ts';
import { RISK_SIGNALS } from './risk-signals.ts';
import { type Fired, type SignalFacts, UNKNOWN } from './signal.ts';

/** A signal that fired. `counted` is its part of the score: the parts add up to the score unless that would exceed 100. */
export type FiredSignal = {
  readonly name: SignalName;
  readonly family: RiskFamily;
  readonly points: number;
  readonly counted: number;
  readonly subject: string;
  readonly sentence: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly habitual?: true;
  /** End of an exception made by a person. */
  readonly muted_until?: string;
};

export type Risk = {
  readonly score: number;
  readonly level: RiskLevel;
  /** False if a history was not known: the score is then a lower bound. */
  readonly complete: boolean;
  /** Time up to which the history was aggregated; null if no signal needed one. */
  readonly as_of: string | null;
  readonly thresholds: RiskRules['thresholds'];
  readonly signals: readonly FiredSignal[];
};

/** An exception for one signal and subject, until a time. */
export type Mute = { readonly signal: SignalName; readonly subject: string; readonly until: string };

const HABITUAL_FROM = 0.02;
const isHabit = (name: SignalName): name is Habit => (HABITS as readonly string[]).includes(name);

/** True if the agent acted often and long enough for its history to mean something. */
export const hasLearned = ({ permitted, firstAt }: Conduct, nowMs: number): boolean =>
  permitted >= RISK_LIMITS.learnedActionsMin && nowMs - firstAt >= RISK_LIMITS.learnedAfterMs;

/** Points that a signal adds, by the settings. */
export const readSignalPoints = (
  { signals }: Pick<RiskRules, 'signals'>,
  name: SignalName,
): { readonly points: number; readonly higher: number } => {
  const row: SignalRow = SIGNAL_TABLE[name];
  const points = signals[name] ?? row.points;
  const higher = row.higher ?? row.points;
  return { points, higher: row.points === 0 ? points : Math.min(100, Math.round((points * higher) / row.points)) };
};

export const computeRiskLevel = ({ elevated, high }: RiskRules['thresholds'], score: number): RiskLevel =>
  score >= high ? 'HIGH' : score >= elevated ? 'ELEVATED' : 'LOW';

type Points = Omit<FiredSignal, 'counted'> & { readonly worth: number };

const getMute = (mutes: readonly Mute[], name: SignalName, { subject }: Fired, nowMs: number): Mute | undefined =>
  mutes.find((mute) => mute.signal === name && mute.subject === subject && Date.parse(mute.until) > nowMs);

const judge = (facts: SignalFacts, name: SignalName, fired: Fired, mutes: readonly Mute[]): Points | undefined => {
  const { conduct, rules, nowMs } = facts;
  const { points, higher } = readSignalPoints(rules, name);
  const worth = fired.isHigher === true ? higher : points;
  // Hours that a person set hold from the first day.
  const isLearned = isHabit(name) && !(name === 'unusual_hour' && rules.hours !== null);
  if (worth === 0 || (isLearned && (conduct === null || !hasLearned(conduct, nowMs)))) return undefined;
  const { isHigher: _, ...shown } = fired;
  const signal = { name, family: SIGNAL_TABLE[name].family, points: worth, ...shown };
  const mute = getMute(mutes, name, fired, nowMs);
  if (mute !== undefined) return { ...signal, worth: 0, muted_until: mute.until };
  if (isLearned && (conduct?.habits[name] ?? 0) >= HABITUAL_FROM) return { ...signal, worth: 0, habitual: true };
  return { ...signal, worth };
};

/** Largest points of each family count; further ones of it count 0. */
const counted = (points: readonly Points[]): FiredSignal[] => {
  const largest = new Map<RiskFamily, Points>();
  for (const each of points) if (each.worth > (largest.get(each.family)?.worth ?? 0)) largest.set(each.family, each);
  return points.map((each) => {
    const { worth, ...signal } = each;
    return { ...signal, counted: largest.get(each.family) === each ? worth : 0 };
  });
};

/** The risk of a request: which signals fired, and their sum. Never refuses anything. */
export const assessRisk = (facts: SignalFacts, mutes: readonly Mute[], isWhole = true): Risk => {
  let complete = isWhole;
  const points: Points[] = [];
  for (const { name, look } of RISK_SIGNALS) {
    if (readSignalPoints(facts.rules, name).points === 0) continue;
    const fired = look(facts);
    if (fired === UNKNOWN) complete = false;
    else if (fired !== undefined) {
      const judged = judge(facts, name, fired, mutes);
      if (judged !== undefined) points.push(judged);
    }
  }
  const signals = counted(points);
  const score = Math.min(
    100,
    RISK_FAMILIES.reduce(
      (sum, family) => sum + Math.max(0, ...signals.filter((each) => each.family === family).map((each) => each.counted)),
      0,
    ),
  );
  const { conduct, rules } = facts;
  return {
    score,
    level: computeRiskLevel(rules.thresholds, score),
    complete,
    as_of: conduct === null || conduct.lastAt === 0 ? null : new Date(conduct.lastAt).toISOString(),
    thresholds: rules.thresholds,
    signals,
  };
};
