import type { ActionRequest } from '@svc/sdk/wire/options.ts';
import { type CallText, quoteArgument } from '../../data/call-texts.ts';
import type { QueryState } from '../../data/use-query-state.ts';

/** Progress of the trial, kept in the address: ids of what was created so far. */
export const TRIAL_MEMBERS = ['environment', 'agent', 'name', 'policy', 'allowed', 'held', 'done'] as const;
export type TrialMember = (typeof TRIAL_MEMBERS)[number];
export type TrialProgress = QueryState<TrialMember>;

export const TRIAL_TOOL = 'refund.create';
export const TRIAL_CAPABILITY = 'payments.refund';

export const TRIAL_CURRENCY = 'USD';

const requestOver = (order: string, amount: number): ActionRequest => ({ parameters: { order, amount, currency: TRIAL_CURRENCY } });

/** A refund that every template of the trial allows, and one that each of them holds. */
export const ALLOWED_REQUEST = requestOver('order-1', 2_000);
export const HELD_REQUEST = requestOver('order-2', 90_000);

/** Policy templates of which both requests show the effect. */
export const TRIAL_TEMPLATES = ['refunds-over-amount', 'spending-tiers'] as const;

type Called = { readonly gatewayUrl: string; readonly agentId: string; readonly name: string };

const param = ([name, value]: readonly [string, unknown]): string => `--param ${quoteArgument(`${name}=${String(value)}`)}`;

/** A request of the agent as a person types it: with curl, with the command line, and with the TypeScript SDK. */
export const getAgentCallTexts = ({ gatewayUrl, agentId, name }: Called, request: ActionRequest): readonly CallText[] => {
  const { approvalId, ...rest } = request;
  const body = { tool: TRIAL_TOOL, ...rest, ...(approvalId === undefined ? {} : { approval_id: approvalId }) };
  return [
    {
      name: 'curl',
      code: [
        `curl -X POST ${quoteArgument(`${gatewayUrl}/gateway/v1/actions`)}`,
        `  -H "authorization: Bearer $AGENT_TOKEN" -H 'content-type: application/json'`,
        `  -d ${quoteArgument(JSON.stringify(body))}`,
      ].join(' \\\n'),
    },
    {
      name: 'svc',
      code: [
        `svc run ${TRIAL_TOOL} --agent ${agentId} --key-file ${quoteArgument(`${name}.key`)}`,
        `  ${Object.entries(request.parameters ?? {})
          .map(param)
          .join(' ')}${approvalId === undefined ? '' : ' --wait'}`,
      ].join(' \\\n'),
    },
    {
      name: 'TypeScript',
      code: [
        `const governance = new Governance({ gatewayUrl: '${gatewayUrl}', agentId: '${agentId}', privateKey });`,
        `const decision = await governance.act('${TRIAL_TOOL}', ${JSON.stringify(request, null, 2)});`,
      ].join('\n'),
    },
  ];
};
