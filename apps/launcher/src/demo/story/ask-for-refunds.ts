import { must } from '../../faults/story-fault.ts';
import { formatDecidingRule, formatEvaluatedRules, formatStages } from '../in-words.ts';
import { type DemoScene, refund } from '../scene.ts';

/** The service executes what rules permit in the same call. */
export const askForSmallRefund = async ({ tell, agent, received }: DemoScene): Promise<void> => {
  tell.chapter('A refund of 120.00 is allowed, and carried out');
  const decision = await agent.act('refund.create', refund('order-1001', 12_000));
  must(decision.decision === 'ALLOW' && decision.status === 'COMPLETED', 'A small refund was to be allowed and completed.');
  tell.shows('why', [formatDecidingRule(decision.explanation)]);
  const got = await received();
  must(got.length === 1 && got[0]?.includes('"amount":12000') === true, 'The sandbox receiver was to get the small refund, once.');
  tell.shows('sandbox', [`received ${got[0]}`]);
};

/** The explanation names every evaluated rule, and what each of its conditions read. */
export const askForHugeRefund = async ({ tell, agent, received, words }: DemoScene): Promise<void> => {
  tell.chapter('A refund of 9,000.00 is refused, and the answer explains itself');
  const before = await received();
  const { decision } = await agent.actRefused('ACTION_BLOCKED', 'refund.create', refund('order-1003', 900_000));
  must(decision !== undefined && decision.explanation.matched_rule?.id === 'refunds-never', 'The rule refunds-never was to decide.');
  const { explanation } = decision;
  tell.shows('why', [formatDecidingRule(explanation), ...formatEvaluatedRules(explanation, words)]);
  tell.shows('checks', [formatStages(explanation)]);
  must((await received()).length === before.length, 'The sandbox receiver was to get nothing of a refused refund.');
};
