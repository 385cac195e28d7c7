import { must } from '../../faults/story-fault.ts';
import { formatDecidingRule } from '../in-words.ts';
import { type DemoScene, refund } from '../scene.ts';

const getCount = async ({ received }: DemoScene, order: string): Promise<number> =>
  (await received()).filter((body) => body.includes(`"${order}"`)).length;

/**
 * A request is held, a person sees it as it would run and approves, and the approval is used once for that request only. Returns the
 * action's id.
 */
export const waitForPerson = async (scene: DemoScene): Promise<string> => {
  const { tell, agent, owner } = scene;
  tell.chapter('A refund of 900.00 waits for a person, and runs once');
  const request = refund('order-1002', 90_000);
  const held = await agent.actRefused('APPROVAL_REQUIRED', 'refund.create', request);
  const approvalId = String(held.details.approval_id);
  const actionId = held.decision?.action_id ?? '';
  tell.say('Ada looks at the card, which shows the request as it would run:');
  const card = await owner.ask('getApproval', { params: { approvalId } }, ({ status }) => status);
  must(card.status === 'PENDING' && card.amount === 90_000, 'The card was to show a pending refund of 900.00.');
  tell.shows('card', [
    `${card.agent_name} asks for ${card.tool} ${JSON.stringify(card.parameters)} at ${card.destination}`,
    `${formatDecidingRule(card.explanation)}: ${card.reason}`,
    `bound to this very request by its hash, ${card.request_hash.slice(0, 16)}…; open until ${card.expires_at.slice(11, 16)} UTC`,
  ]);
  await owner.ask('approveApproval', { params: { approvalId }, body: { comment: 'Checked with the customer.' } }, ({ status }) => status);
  tell.say('The agent tries the approval on another amount, then on its own request, then once more:');
  await agent.actRefused('APPROVAL_NOT_GRANTED', 'refund.create', { ...refund('order-1002', 490_000), approvalId });
  const decision = await agent.act('refund.create', { ...request, approvalId });
  must(decision.status === 'COMPLETED' && decision.action_id === actionId, 'The held action was to be completed.');
  await agent.actRefused('APPROVAL_NOT_GRANTED', 'refund.create', { ...request, approvalId });
  const count = await getCount(scene, 'order-1002');
  must(count === 1, `The sandbox receiver was to get order-1002 once; it got it ${count} times.`);
  tell.shows('sandbox', ['received order-1002 once']);
  return actionId;
};
