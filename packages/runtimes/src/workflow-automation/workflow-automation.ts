import type { RuntimeSettings } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { NeededEvidence } from '@svc/domain/runtimes/runtimes/assess-enforcement.ts';
import type { RuntimeKindRow } from '../kind.ts';
import { n8n } from './n8n/n8n.ts';

/** Evidence that every instance needs. It lives for two verifications. */
export const instanceNeeds = ({ interval_seconds }: RuntimeSettings): readonly NeededEvidence[] => {
  const livesMs = 2_000 * (interval_seconds ?? LIMITS.runtimes.defaultIntervalSeconds);
  return [
    { name: 'REACHED', livesMs, otherwise: 'UNKNOWN' },
    { name: 'INVENTORY', livesMs, otherwise: 'UNKNOWN' },
  ];
};

/** An instance that others operate: the service sees what it does, and prevents nothing in it. */
export const workflowAutomation = {
  kind: 'WORKFLOW_AUTOMATION',
  products: ['n8n'],
  ceiling: 'DETECTED',
  needs: instanceNeeds,
  inspection: { by: 'instance', driver: n8n },
  capabilities: [
    {
      subject: 'NODE_TYPES',
      how: 'DETECTED',
      by: 'Inspection of the draft and the published version of every workflow',
      needs: ['INVENTORY'],
      limits: 'A workflow that is created, run and deleted between two verifications is not seen.',
    },
    {
      subject: 'EGRESS_HTTP',
      how: 'DETECTED',
      by: 'Destinations of HTTP nodes',
      needs: ['INVENTORY'],
      limits: 'Code and dynamic addresses are found as such; their destinations are not known.',
    },
    { subject: 'EGRESS_TCP', how: 'NEITHER', by: '', needs: [], limits: 'Only nodes that open such connections are found.' },
    {
      subject: 'CREDENTIALS',
      how: 'DETECTED',
      by: 'List of credentials and the nodes that use them',
      needs: ['CREDENTIALS'],
      limits: 'Their values are never read.',
    },
    {
      subject: 'INBOUND',
      how: 'DETECTED',
      by: 'Authentication of webhook, form, chat and MCP triggers',
      needs: ['INVENTORY'],
      limits: 'Triggers of applications are not tested.',
    },
    {
      subject: 'EXECUTIONS',
      how: 'DETECTED',
      by: 'Executions of the last verification interval',
      needs: ['EXECUTIONS'],
      limits: 'Executions whose data is not saved cannot be inspected.',
    },
    {
      subject: 'PAUSE',
      how: 'DETECTED',
      by: 'Deactivation of workflows with admin_access OPERATE',
      needs: ['REACHED'],
      limits: 'An owner of the instance can activate them again, which verification finds.',
    },
    {
      subject: 'PEOPLE',
      how: 'DETECTED',
      by: 'List of users with their role and second factor',
      needs: ['PEOPLE'],
      limits: 'Owners of the instance can change it.',
    },
  ],
} as const satisfies RuntimeKindRow;
