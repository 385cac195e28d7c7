import type { A2aStatus } from '@svc/contract/peers/a2a/a2a-connections.ts';
import type { ReactNode } from 'react';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';

const STATUSES: Readonly<Record<A2aStatus, { readonly tone: Tone; readonly name: string }>> = {
  PENDING: { tone: 'held', name: 'Pending' },
  VERIFIED: { tone: 'allowed', name: 'Verified' },
  STALE: { tone: 'held', name: 'Stale' },
  BLOCKED: { tone: 'blocked', name: 'Blocked' },
};

export const ConnectionStatus = ({ status }: { readonly status: A2aStatus }): ReactNode => (
  <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].name}</StatusPill>
);
