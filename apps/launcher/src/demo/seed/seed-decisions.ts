import { Governance } from '@svc/sdk/governance.ts';
import { isGovernanceError } from '@svc/sdk/wire/errors.ts';
import type { ActionRequest } from '@svc/sdk/wire/options.ts';
import { must } from '../../faults/story-fault.ts';
import type { ControlPlane } from '../control-plane.ts';
import { refund } from '../scene.ts';
import type { DemoCredentials } from './demo-credentials.ts';
import type { SeededAgents } from './seed-organization.ts';

/** Asks once, however often it is called: the key makes a repetition get the first answer again. Answers the code of a refusal. */
const ask = async (governance: Governance, tool: string, request: ActionRequest, key: string) => {
  try {
    const decision = await governance.act(tool, { ...request, idempotencyKey: `demo-${key}` });
    return { code: null, decision, approvalId: '' };
  } catch (error) {
    if (!isGovernanceError(error)) throw error;
    return { code: error.code, decision: error.decision, approvalId: String(error.details.approval_id ?? '') };
  }
};

/** One decision of each kind, of which one waits for a person. Answers the approval that waits. */
export const seedDecisions = async (
  owner: ControlPlane,
  { agents }: DemoCredentials,
  seeded: SeededAgents,
  gatewayUrl: string,
): Promise<string> => {
  const governanceOf = (name: keyof SeededAgents): Governance =>
    new Governance({ gatewayUrl, agentId: seeded[name].id, privateKey: agents[name].privateKey });
  const [support, finance] = [governanceOf('refunds'), governanceOf('reports')];
  await ask(support, 'refund.create', refund('order-1', 12_000), 'small');
  const read = await ask(support, 'customer.read', { parameters: { customer: 'c-7' } }, 'read');
  const readId = read.decision?.action_id;
  if (readId) await support.outcome(readId, { status: 'COMPLETED', result: { found: true } });
  await ask(support, 'refund.create', refund('order-2', 900_000), 'huge');
  await ask(finance, 'report.publish', { parameters: { audience: 'public' } }, 'public');
  const agreed = await ask(support, 'refund.create', refund('order-3', 75_000), 'agreed');
  if (agreed.approvalId !== '') await goAhead(owner, support, agreed.approvalId);
  const waiting = await ask(support, 'refund.create', refund('order-4', 90_000), 'waiting');
  must(
    waiting.code === 'APPROVAL_REQUIRED',
    `The last refund of the demo data was to wait for a person; it got ${waiting.code ?? 'through'}.`,
  );
  return waiting.approvalId;
};

const goAhead = async (owner: ControlPlane, support: Governance, approvalId: string): Promise<void> => {
  const { status } = await support.approval(approvalId);
  if (status === 'PENDING') await owner.ask('approveApproval', { params: { approvalId }, body: { comment: 'Checked.' } });
  await ask(support, 'refund.create', { ...refund('order-3', 75_000), approvalId }, 'agreed-again');
};
