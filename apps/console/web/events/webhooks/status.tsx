import type { ReactNode } from 'react';
import { StatusPill } from '../../design/status-pill.tsx';
import type { Webhook } from './webhook.ts';

export const WebhookStatus = ({ webhook: { status, failing_since } }: { readonly webhook: Webhook }): ReactNode => {
  if (status === 'DISABLED') return <StatusPill tone="neutral">Disabled</StatusPill>;
  return failing_since === null ? <StatusPill tone="allowed">Active</StatusPill> : <StatusPill tone="blocked">Failing</StatusPill>;
};
