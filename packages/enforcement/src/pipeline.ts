import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import type { Deciding, PipelineEntryPoint } from './facts/decision-request.ts';
import type { Stage } from './facts/stage.ts';
import { identity } from './stages/01-identity.ts';
import { environment } from './stages/02-environment.ts';
import { agent } from './stages/03-agent.ts';
import { tool } from './stages/04-tool.ts';
import { request } from './stages/05-request.ts';
import { destination } from './stages/06-destination.ts';
import { authority } from './stages/07-authority.ts';
import { trust } from './stages/08-trust.ts';
import { currency } from './stages/09-currency.ts';
import { risk } from './stages/10-risk.ts';
import { policy } from './stages/11-policy.ts';
import { obligations } from './stages/12-obligations.ts';
import { approval } from './stages/13-approval.ts';
import { credential } from './stages/14-credential.ts';
import { simulateApproval } from './supposed/approval.ts';
import { simulateCurrency } from './supposed/currency.ts';
import { simulateObligations } from './supposed/obligations.ts';
import { simulatePolicyStage } from './supposed/policy.ts';
import { simulateRisk } from './supposed/risk.ts';
import { asItStands, SKIPPED, type Supposing } from './supposed/supposing.ts';
import { simulateTool } from './supposed/tool.ts';

/** How an entry point treats a stage: asked as it is, skipped and reported as skipped, not mentioned, or with a function of its own. */
type Word = 'asked' | 'skipped' | 'unspoken';

/** A stage without a word for every entry point does not compile, and neither does one that `act` leaves out. */
type Cells<Code extends ErrorCode> = {
  readonly act: 'asked';
  readonly evaluate: Exclude<Word, 'skipped'>;
  readonly simulate: Word | Supposing<Code>;
  readonly ask_tool: Exclude<Word, 'skipped'>;
} & Readonly<Record<PipelineEntryPoint, unknown>>;

export const getRow = <const Code extends ErrorCode>(stage: Stage<Code>, cells: Cells<NoInfer<Code>>) => ({ stage, ...cells });

/**
 * THE LIST of checks of every protected action, in order, for every entry point; the first refusal ends it. All of these are pure. `govern`
 * then records the decision durably, executes, and records the outcome.
 */
export const MATRIX = [
  getRow(identity, { act: 'asked', evaluate: 'asked', simulate: 'unspoken', ask_tool: 'asked' }),
  getRow(environment, { act: 'asked', evaluate: 'asked', simulate: 'asked', ask_tool: 'asked' }),
  getRow(agent, { act: 'asked', evaluate: 'asked', simulate: 'asked', ask_tool: 'asked' }),
  getRow(tool, { act: 'asked', evaluate: 'asked', simulate: simulateTool, ask_tool: 'asked' }),
  getRow(request, { act: 'asked', evaluate: 'asked', simulate: 'skipped', ask_tool: 'unspoken' }),
  getRow(destination, { act: 'asked', evaluate: 'asked', simulate: 'skipped', ask_tool: 'unspoken' }),
  getRow(authority, { act: 'asked', evaluate: 'asked', simulate: 'skipped', ask_tool: 'unspoken' }),
  getRow(trust, { act: 'asked', evaluate: 'asked', simulate: 'asked', ask_tool: 'unspoken' }),
  getRow(currency, { act: 'asked', evaluate: 'asked', simulate: simulateCurrency, ask_tool: 'unspoken' }),
  getRow(risk, { act: 'asked', evaluate: 'asked', simulate: simulateRisk, ask_tool: 'unspoken' }),
  getRow(policy, { act: 'asked', evaluate: 'asked', simulate: simulatePolicyStage, ask_tool: 'unspoken' }),
  getRow(obligations, { act: 'asked', evaluate: 'asked', simulate: simulateObligations, ask_tool: 'unspoken' }),
  getRow(approval, { act: 'asked', evaluate: 'asked', simulate: simulateApproval, ask_tool: 'unspoken' }),
  getRow(credential, { act: 'asked', evaluate: 'asked', simulate: 'skipped', ask_tool: 'unspoken' }),
] as const;

/** Every stage in order. */
export const PIPELINE = MATRIX.map(({ stage }) => stage);

/** Every code of the pipeline itself. */
export type PipelineCode = (typeof PIPELINE)[number]['refuses'][number] | 'APPROVAL_REQUIRED';

const askedBy = (by: Deciding | 'ask_tool'): readonly Stage<PipelineCode>[] =>
  MATRIX.flatMap(({ stage, ...cells }) => (cells[by] === 'asked' ? [stage] : []));

/** The columns: stages that are asked as they are. */
export const STAGES = { act: askedBy('act'), evaluate: askedBy('evaluate'), ask_tool: askedBy('ask_tool') };

type SupposedStage = Pick<Stage<PipelineCode>, 'name' | 'relaxedByObserve'> & { readonly ask: Supposing<PipelineCode> };

const askOf = ({ stage, simulate }: (typeof MATRIX)[number]): Supposing<PipelineCode> | undefined => {
  if (simulate === 'unspoken') return undefined;
  if (simulate === 'skipped') return () => SKIPPED;
  return simulate === 'asked' ? asItStands<PipelineCode>(stage) : simulate;
};

/** The column of supposed requests: each stage in the form that fits one. */
export const SUPPOSED_STAGES: readonly SupposedStage[] = MATRIX.flatMap((one) => {
  const ask = askOf(one);
  return ask === undefined ? [] : [{ name: one.stage.name, relaxedByObserve: one.stage.relaxedByObserve, ask }];
});
