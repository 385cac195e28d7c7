import type { InstanceDriver } from '../../kind.ts';
import { judgeWorkflows } from './judge-workflows.ts';
import { startWorkflows, stopWorkflows } from './operate-workflows.ts';
import { takeStep } from './take-step.ts';
import { testConnection } from './test-connection.ts';

/** n8n, over its public API. Verified with version 2.41.1. */
export const n8n: InstanceDriver = {
  apiKeyHeader: 'X-N8N-API-KEY',
  firstStep: 'CONNECT',
  test: testConnection,
  step: takeStep,
  judge: judgeWorkflows,
  stop: stopWorkflows,
  start: startWorkflows,
};
