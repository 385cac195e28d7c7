import type { ReactNode } from 'react';
import { StatusPill } from '../../design/status-pill.tsx';
import type { Channel } from './channel.ts';

export const ChannelStatus = ({ channel: { status, failing_since } }: { readonly channel: Channel }): ReactNode => {
  if (status === 'DISABLED') return <StatusPill tone="neutral">Disabled</StatusPill>;
  return failing_since === null ? <StatusPill tone="allowed">Active</StatusPill> : <StatusPill tone="blocked">Failing</StatusPill>;
};
