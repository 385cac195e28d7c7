import { Governance } from '@svc/sdk/governance.ts';
import { must } from '../../faults/story-fault.ts';
import type { ControlPlane } from '../control-plane.ts';
import { TICKET_SERVER } from '../demo-tools.ts';
import { refund } from '../scene.ts';
import { askOnce } from './ask-once.ts';
import type { DemoCredentials } from './demo-credentials.ts';
import type { SeededAgents } from './seed-organization.ts';

/** Creates one decision of each kind, one of them pending. Returns the pending approval. */
export const seedDecisions = async (
  owner: ControlPlane,
  { agents }: DemoCredentials,
  seeded: SeededAgents,
  gatewayUrl: string,
): Promise<string> => {
  const getGovernance = (name: keyof SeededAgents): Governance =>
    new Governance({ gatewayUrl, agentId: seeded[name].id, privateKey: agents[name].privateKey });
  const [support, finance] = [getGovernance('refunds'), getGovernance('reports')];
  await askOnce(support, 'refund.create', refund('order-1', 12_000), 'small');
  const read = await askOnce(support, 'customer.read', { parameters: { customer: 'c-7' } }, 'read');
  const readId = read.actionId;
  if (readId) await support.outcome(readId, { status: 'COMPLETED', result: { found: true } });
  await askOnce(support, TICKET_SERVER.name, { parameters: { query: 'late refunds' } }, 'tickets');
  await askOnce(support, 'refund.create', refund('order-2', 900_000), 'huge');
  await askOnce(finance, 'report.publish', { parameters: { audience: 'public' } }, 'public');
  const agreed = await askOnce(support, 'refund.create', refund('order-3', 75_000), 'agreed');
  if (agreed.approvalId !== '') await goAhead(owner, support, agreed.approvalId);
  const waiting = await askOnce(support, 'refund.create', refund('order-4', 90_000), 'waiting');
  must(
    waiting.code === 'APPROVAL_REQUIRED',
    `The last refund of the demo data was to wait for a person; it got ${waiting.code ?? 'through'}.`,
  );
  return waiting.approvalId;
};

const goAhead = async (owner: ControlPlane, support: Governance, approvalId: string): Promise<void> => {
  const { status } = await support.approval(approvalId);
  if (status === 'PENDING') await owner.ask('approveApproval', { params: { approvalId }, body: { comment: 'Checked.' } });
  await askOnce(support, 'refund.create', { ...refund('order-3', 75_000), approvalId }, 'agreed-again');
};
