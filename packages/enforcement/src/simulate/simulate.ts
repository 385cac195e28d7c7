import type { StageFinding } from '@svc/contract/actions/decisions.ts';
import { parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { PolicyContext } from '@svc/policy/evaluation/policy-context.ts';
import { judge } from '@svc/policy/judge/evaluate.ts';
import { blockNote } from '@svc/policy/judge/obligations-alone.ts';
import type { Verdict } from '../decision/decide.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { agentContext, destinationContext } from '../facts/policy-context.ts';
import type { Stage } from '../facts/stage.ts';
import type { PipelineCode } from '../pipeline.ts';
import { environment } from '../stages/02-environment.ts';
import { agent } from '../stages/03-agent.ts';
import { tool } from '../stages/04-tool.ts';
import { supposedAmounts, supposedContext } from './simulate-amounts.ts';
import { judgeLimits, NO_LIMITS } from './simulate-limits.ts';

/** What a person knows of a request that nobody has made. */
export type Supposed = { readonly tool: string | undefined; readonly capability: string | undefined };

/** The request as far as it is known; the rest stays unknown to every rule and is named in the answer. */
const partialContext = (facts: Facts, supposed: Supposed, learned: Learned): PolicyContext => {
  const { request } = facts;
  const known = learned.tool;
  const place = request.destination === undefined ? undefined : parseDestination(request.destination);
  const capability = known?.required_capability ?? supposed.capability;
  const name = known?.name ?? supposed.tool;
  return {
    ...agentContext(facts),
    ...(known
      ? {
          tool: {
            name: known.name,
            capability: known.required_capability,
            risk_rating: known.risk_rating,
            dangerous: known.dangerous,
            kind: known.kind,
          },
        }
      : name === undefined
        ? {}
        : { tool: { name } }),
    ...(capability === undefined ? {} : { capability }),
    ...(request.parameters === undefined ? {} : { parameters: request.parameters }),
    ...supposedContext(facts, learned.amounts),
    ...(place === undefined || 'fault' in place ? {} : { destination: destinationContext(place) }),
  };
};

type Walked = {
  readonly findings: StageFinding[];
  readonly learned: Learned;
  readonly refused: { code: NonNullable<Verdict['code']>; reason: string } | undefined;
};

const askStages = (facts: Facts, stages: readonly Stage<PipelineCode>[]): Walked => {
  const findings: StageFinding[] = [];
  let learned: Learned = {};
  for (const stage of stages) {
    const answer = stage.check(facts, learned);
    if (answer.outcome === 'passed') {
      findings.push({ stage: stage.name, outcome: 'passed' });
      learned = { ...learned, ...answer.learned };
      continue;
    }
    const code = answer.outcome === 'held' ? 'APPROVAL_REQUIRED' : answer.code;
    findings.push({ stage: stage.name, outcome: 'refused', code, ...(answer.reason ? { note: answer.reason } : {}) });
    return {
      findings,
      learned: { ...learned, ...(answer.outcome === 'refused' ? answer.learned : {}) },
      refused: { code, reason: answer.reason ?? '' },
    };
  }
  return { findings, learned, refused: undefined };
};

/**
 * What would be decided on a request of which only a part is known. The checks on what is not known are skipped and say so; policy is
 * asked always, so that the answer shows each condition even where an earlier check would already refuse.
 */
export const simulate = (facts: Facts, supposed: Supposed): Verdict => {
  const asked = askStages(facts, supposed.tool === undefined ? [environment, agent] : [environment, agent, tool]);
  const { amounts, finding, refused } = supposedAmounts(facts);
  const walked = { ...asked, learned: { ...asked.learned, ...(amounts ? { amounts } : {}) }, refused: asked.refused ?? refused };
  const { decision: policy, rules } = judge(facts.environment.policies, partialContext(facts, supposed, walked.learned));
  const blocked = policy.effect === 'BLOCK';
  const limits = blocked ? NO_LIMITS : judgeLimits(facts, policy);
  const over = limits.refused;
  const held = policy.effect === 'REQUIRE_APPROVAL' && over === undefined;
  const policyCode = blocked ? 'ACTION_BLOCKED' : (over?.code ?? (held ? 'APPROVAL_REQUIRED' : null));
  const code = walked.refused?.code ?? policyCode;
  const skipped: StageFinding[] = ['request', 'destination', 'authority'].map((stage) => ({ stage, outcome: 'skipped' }));
  const policyFinding: StageFinding = blocked
    ? { stage: 'policy', outcome: 'refused', code: 'ACTION_BLOCKED', note: blockNote(policy) }
    : { stage: 'policy', outcome: 'passed' };
  const approvalFinding: StageFinding[] =
    blocked || over
      ? []
      : [held ? { stage: 'approval', outcome: 'held', code: 'APPROVAL_REQUIRED' } : { stage: 'approval', outcome: 'passed' }];
  return {
    outcome: walked.refused || blocked || over ? 'refused' : held ? 'held' : 'allowed',
    effect: walked.refused || over ? 'BLOCK' : policy.effect,
    mode: facts.environment.mode,
    code,
    reason: walked.refused?.reason || over?.reason || policy.reason,
    details: over?.details,
    findings: [...walked.findings, ...skipped, finding, policyFinding, ...limits.findings, ...approvalFinding],
    learned: { ...walked.learned, policy, consulted: rules, claims: limits.claims },
    hard: walked.refused !== undefined,
    relaxed: false,
    waitsFor: undefined,
  };
};
