import { documentOf } from '@svc/testing/agents/new-tool-import.ts';
import { RULES, TESTS } from '../setting.ts';
import { type Asked, type Bodies, reason } from './bodies-of.ts';

export const ruleBodies = ({
  made,
  setting: {
    tenant: { environment_id },
    agent,
  },
}: Asked): Bodies => ({
  createTool: { name: `tool-${made}`, environment_id, required_capability: 'x', kind: 'SDK' },
  authorizeAgentForTool: { agent_id: agent.id },
  disableTool: { reason },
  updateTool: { description: `${made}` },
  previewTool: { risk_rating: 'HIGH' },
  dryCallTool: {},
  restrictTool: { agent_ids: [], reason },
  enableTool: { reason },
  createToolImport: { environment_id, source: `s${made}`, document: documentOf('Things') },
  applyToolImport: { states: ['NEW', 'CHANGED'] },
  createCredential: {
    ...{ name: `Credential ${made}`, environment_id, scheme: 'HEADER', placement: { header: 'x-api-key', prefix: 'Key' } },
    ...{ destinations: ['service.example', '*.service.example:8443'], tools: ['x'], secret: `secret ${made}` },
  },
  rotateCredential: { secret: `another ${made}` },
  revokeCredential: { reason },
  connectCredential: {},
  testCredential: { url: 'https://service.example/' },
  createPolicy: { name: `Policy ${made}`, rules: RULES, tests: TESTS },
  createInvariant: { name: `Invariant ${made}`, when: { field: 'amount', op: 'gt', value: 5 }, at_least: 'REQUIRE_APPROVAL' },
  checkInvariant: { at_least: 'REQUIRE_APPROVAL' },
  updatePolicy: { description: `${made}` },
  activatePolicy: { version_id: 'pvr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', reason },
  suspendPolicy: { reason },
  bindPolicy: { scope: 'AGENT', id: agent.id, reason },
  rollbackPolicy: { target_version_number: 1, reason },
  simulatePolicy: { agentId: agent.id },
  runPolicyTests: {},
  previewPolicyTests: { cases: TESTS },
});
