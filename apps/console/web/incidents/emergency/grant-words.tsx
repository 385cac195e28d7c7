import type { BreakGlassGrant, BreakGlassMode } from '@svc/contract/incidents/emergency/break-glass.ts';
import type { ReactNode } from 'react';
import { getName } from '../../data/names/named-ids.ts';
import { refresh } from '../../data/use-operation.ts';
import { refreshSession } from '../../data/use-session.ts';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';

const STATUSES: Readonly<Record<BreakGlassGrant['status'], { readonly tone: Tone; readonly name: string }>> = {
  PENDING: { tone: 'held', name: 'Waits for a second person' },
  ACTIVE: { tone: 'allowed', name: 'Active' },
  DENIED: { tone: 'blocked', name: 'Denied' },
  EXPIRED: { tone: 'neutral', name: 'Expired' },
  ENDED: { tone: 'neutral', name: 'Ended' },
};

export const GrantStatus = ({ status }: Pick<BreakGlassGrant, 'status'>): ReactNode => (
  <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].name}</StatusPill>
);

export const MODE_NAMES: Readonly<Record<BreakGlassMode, string>> = {
  TWO_PEOPLE: 'A second person approves',
  SELF_WITH_NOTICE: 'The member alone, with notice to the others and a review',
};

type Known = { readonly id: string; readonly name: string };

/** The name of a person, or the id where the reader may not see names. */
export const personWords = (id: string, known: readonly Known[]): string => getName(id, known) ?? id;

/** A purpose as the list shows it. */
export const purposeWords = ({ reason, drill }: Pick<BreakGlassGrant, 'reason' | 'drill'>): string =>
  drill ? `${reason} (drill)` : reason;

/** True for a grant that its holder took alone and no other person has reviewed. */
export const awaitsReview = ({ mode, drill, reviewed_by }: BreakGlassGrant): boolean =>
  mode === 'SELF_WITH_NOTICE' && !drill && reviewed_by === null;

/** A grant changes what the session may do, so the session is read again. */
export const refreshBreakGlass = async (): Promise<void> => {
  await Promise.all([refreshSession(), refresh('listBreakGlass', 'getBreakGlass', 'getBreakGlassReport', 'getBreakGlassSettings')]);
};
