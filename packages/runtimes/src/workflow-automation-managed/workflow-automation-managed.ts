import type { RuntimeKindRow } from '../kind.ts';
import { instanceNeeds, workflowAutomation } from '../workflow-automation/workflow-automation.ts';

const DAY_MS = 86_400_000;
const HEARTBEAT_MS = 300_000;

/** An instance that is deployed with the files of the service: levers of the deployment prevent what is only detected elsewhere. */
export const workflowAutomationManaged = {
  ...workflowAutomation,
  kind: 'WORKFLOW_AUTOMATION_MANAGED',
  ceiling: 'ENFORCED',
  refusesAccess: 'NONE',
  needs: (settings) => [
    ...instanceNeeds(settings),
    { name: 'SETTINGS', livesMs: DAY_MS, otherwise: 'DETECTED' },
    { name: 'CANARY_NODE', livesMs: DAY_MS, otherwise: 'DETECTED', isBreach: true },
    { name: 'CANARY_EGRESS', livesMs: DAY_MS, otherwise: 'DETECTED', isBreach: true },
    { name: 'BUNDLE', livesMs: DAY_MS, otherwise: 'DETECTED' },
    { name: 'HOOK_ALIVE', livesMs: HEARTBEAT_MS, otherwise: 'DETECTED' },
    { name: 'NETWORK', livesMs: DAY_MS, otherwise: 'PARTIAL', isBreach: true },
    { name: 'PEOPLE', livesMs: DAY_MS, otherwise: 'PARTIAL' },
  ],
  capabilities: [
    {
      subject: 'NODE_TYPES',
      how: 'PREVENTED',
      by: 'Allow-list of node types (NODES_INCLUDE) in the environment file of the bundle',
      needs: ['SETTINGS', 'CANARY_NODE'],
      limits: 'Nodes of custom extension folders are not covered by the allow-list.',
    },
    {
      subject: 'EGRESS_HTTP',
      how: 'PREVENTED',
      by: 'Address rules of the product (N8N_SSRF_*) that allow the gateway by name',
      needs: ['SETTINGS', 'CANARY_EGRESS'],
      limits: 'Raw TCP, such as databases and mail, needs the network policy.',
    },
    {
      subject: 'EGRESS_TCP',
      how: 'PREVENTED',
      by: 'Network policy of the deployment',
      needs: ['NETWORK'],
      limits: 'Depends on the network of the operator, which the service tests from inside the deployment.',
    },
    {
      subject: 'EXECUTIONS',
      how: 'PREVENTED',
      by: 'Hook file that asks the gateway before each execution and fails closed',
      needs: ['BUNDLE', 'HOOK_ALIVE'],
      limits: 'An administrator of the host can remove the file; the missing heartbeat then lowers the status.',
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
