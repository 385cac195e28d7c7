import type { Decision } from '@svc/sdk/wire/answers.ts';

const EXPLANATION: Decision['explanation'] = {
  decision: 'ALLOW',
  matched_rule: null,
  matched_rules: [],
  skipped_rules: 0,
  authority: {},
  risk: {},
  stages: [],
};

let actions = 0;

/** Builds a gateway decision for a tool that the agent executes, with overrides. */
export const buildDecision = (tool: string, changes: Partial<Decision> = {}): Decision => {
  actions += 1;
  return {
    action_id: `act_${actions}`,
    decision: 'ALLOW',
    status: 'ALLOWED',
    mode: 'ENFORCE',
    code: null,
    reason: `${tool} is allowed.`,
    explanation: EXPLANATION,
    execution: { state: 'BY_AGENT' },
    request_id: 'req_peer',
    ...changes,
  };
};
