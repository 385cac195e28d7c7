import type { McpServerStatus } from '@svc/contract/peers/mcp/mcp-servers.ts';
import type { McpToolStatus } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import type { ReactNode } from 'react';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';
import { getWorstFinding, type McpFinding } from './server.ts';

type StatusStyle = { readonly tone: Tone; readonly name: string };

const SERVERS: Readonly<Record<McpServerStatus, StatusStyle>> = {
  PENDING: { tone: 'held', name: 'Pending' },
  ACTIVE: { tone: 'allowed', name: 'Active' },
  QUARANTINED: { tone: 'blocked', name: 'Quarantined' },
  DISABLED: { tone: 'neutral', name: 'Disabled' },
};

export const ServerStatus = ({ status }: { readonly status: McpServerStatus }): ReactNode => (
  <StatusPill tone={SERVERS[status].tone}>{SERVERS[status].name}</StatusPill>
);

const TOOLS: Readonly<Record<McpToolStatus, StatusStyle>> = {
  DISCOVERED: { tone: 'held', name: 'Not authorized' },
  AUTHORIZED: { tone: 'allowed', name: 'Authorized' },
  CHANGED: { tone: 'blocked', name: 'Changed' },
  DISABLED: { tone: 'neutral', name: 'Disabled' },
  GONE: { tone: 'unknown', name: 'Gone' },
};

export const ToolStatus = ({ status }: { readonly status: McpToolStatus }): ReactNode => (
  <StatusPill tone={TOOLS[status].tone}>{TOOLS[status].name}</StatusPill>
);

const SEVERITIES: Readonly<Record<McpFinding['severity'], StatusStyle>> = {
  low: { tone: 'neutral', name: 'Low' },
  medium: { tone: 'masked', name: 'Medium' },
  high: { tone: 'held', name: 'High' },
  critical: { tone: 'blocked', name: 'Critical' },
};

export const Severity = ({ severity }: Pick<McpFinding, 'severity'>): ReactNode => (
  <StatusPill tone={SEVERITIES[severity].tone}>{SEVERITIES[severity].name}</StatusPill>
);

/** Displays the most severe finding of a tool definition, and the number of findings. */
export const Findings = ({ findings }: { readonly findings: readonly McpFinding[] }): ReactNode => {
  const worst = getWorstFinding(findings);
  if (worst === undefined) return 'None';
  return (
    <>
      <Severity severity={worst.severity} /> {findings.length > 1 ? `${findings.length} findings` : ''}
    </>
  );
};
