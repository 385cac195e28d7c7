import type { Governance } from '@svc/sdk/governance.ts';
import type { Decision } from '@svc/sdk/wire/answers.ts';
import { type GovernanceError, isGovernanceError } from '@svc/sdk/wire/errors.ts';
import type { ActOptions } from '@svc/sdk/wire/options.ts';
import { StoryFault } from '../faults/story-fault.ts';
import type { Narrator } from './narrator.ts';

/** The demo's agent, which uses the SDK; each request is printed. */
export type AgentVoice = {
  readonly act: (tool: string, options: ActOptions) => Promise<Decision>;
  /** Returns the SDK's error of a refusal. Any other outcome ends the story. */
  readonly actRefused: (code: string, tool: string, options: ActOptions) => Promise<GovernanceError>;
  /** Runs a request that was already printed and must be refused. */
  readonly refused: (code: string, work: () => Promise<unknown>) => Promise<GovernanceError>;
};

const HELD = 'APPROVAL_REQUIRED';

export const describeDecision = ({ decision, status, reason }: Decision): string => `${decision}, ${status}: ${reason}`;

const readRefusal = async (work: () => Promise<unknown>): Promise<GovernanceError | undefined> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!isGovernanceError(error)) throw error;
    return error;
  }
};

export const giveVoice = (governance: Governance, tell: Narrator): AgentVoice => {
  const asks = (tool: string, { parameters, approvalId }: ActOptions): void =>
    tell.asks('agent', `${tool} ${JSON.stringify(parameters)}${approvalId === undefined ? '' : ` with ${approvalId}`}`);
  const refused: AgentVoice['refused'] = async (code, work) => {
    const error = await readRefusal(work);
    if (error?.code !== code) throw new StoryFault(`The agent was to be refused with ${code}; it got ${error?.code ?? 'through'}.`);
    tell.answered(code === HELD ? 'held' : 'refused', `${error.status} ${error.code}: ${error.message}`);
    return error;
  };
  return {
    refused,
    act: async (tool, options) => {
      asks(tool, options);
      try {
        const decision = await governance.act(tool, options);
        tell.answered(decision.mode === 'SIMULATE' ? 'held' : 'good', describeDecision(decision));
        return decision;
      } catch (error) {
        if (!isGovernanceError(error)) throw error;
        throw new StoryFault(`The agent was to get through with ${tool}; it got ${error.code}: ${error.message}`);
      }
    },
    actRefused: (code, tool, options) => {
      asks(tool, options);
      return refused(code, () => governance.act(tool, options));
    },
  };
};
