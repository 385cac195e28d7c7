import type { RiskEvent, RiskVerdict } from '@svc/contract/risk/risk-events.ts';
import type { RiskLevel } from '@svc/contract/risk/signal-table.ts';
import type { ReactNode } from 'react';
import { refresh } from '../../data/use-operation.ts';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';

export type { RiskEvent };

/** Reads everything of risk again after a change. */
export const refreshRisk = (): Promise<void> =>
  refresh('listRiskEvents', 'getRiskEvent', 'getAgentRisk', 'summarizeRiskEvents', 'getRiskSettings', 'listRiskSignals');

/** The name of a signal or family in words. */
export const formatSignal = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const VERDICT_NAMES: Readonly<Record<RiskVerdict, string>> = {
  EXPECTED: 'Expected',
  FALSE_ALARM: 'False alarm',
  CONFIRMED: 'Confirmed',
};

const STATUSES: Readonly<Record<RiskEvent['status'], { readonly tone: Tone; readonly name: string }>> = {
  OPEN: { tone: 'held', name: 'Open' },
  ACKNOWLEDGED: { tone: 'neutral', name: 'Acknowledged' },
  STALE: { tone: 'neutral', name: 'Not repeated' },
};

export const RiskEventStatus = ({ status, verdict }: Pick<RiskEvent, 'status' | 'verdict'>): ReactNode =>
  verdict === null ? (
    <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].name}</StatusPill>
  ) : (
    <StatusPill tone={verdict === 'CONFIRMED' ? 'blocked' : 'allowed'}>{VERDICT_NAMES[verdict]}</StatusPill>
  );

const LEVELS: Readonly<Record<RiskLevel, { readonly tone: Tone; readonly name: string }>> = {
  LOW: { tone: 'allowed', name: 'Low' },
  ELEVATED: { tone: 'held', name: 'Elevated' },
  HIGH: { tone: 'blocked', name: 'High' },
};

export const LevelPill = ({ level }: { readonly level: RiskLevel }): ReactNode => (
  <StatusPill tone={LEVELS[level].tone}>{LEVELS[level].name}</StatusPill>
);
