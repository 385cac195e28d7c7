import { identity } from './stages/01-identity.ts';
import { environment } from './stages/02-environment.ts';
import { agent } from './stages/03-agent.ts';
import { tool } from './stages/04-tool.ts';
import { request } from './stages/05-request.ts';
import { destination } from './stages/06-destination.ts';
import { authority } from './stages/07-authority.ts';
import { currency } from './stages/08-currency.ts';
import { policy } from './stages/09-policy.ts';
import { obligations } from './stages/10-obligations.ts';
import { approval } from './stages/11-approval.ts';

/**
 * THE LIST: what is asked of every protected action, in this order; the first refusal ends it.
 * All of these are pure. `govern` then records the decision durably, executes, and records the outcome.
 */
export const PIPELINE = [
  identity,
  environment,
  agent,
  tool,
  request,
  destination,
  authority,
  currency,
  policy,
  obligations,
  approval,
] as const;

/** Every code that the pipeline itself answers with. */
export type PipelineCode = (typeof PIPELINE)[number]['refuses'][number] | 'APPROVAL_REQUIRED';
