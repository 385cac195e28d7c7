import type { Governance } from '@svc/sdk/governance.ts';
import type { Whereabouts } from '../data-folder/run-claim.ts';
import type { AgentVoice } from './agent-voice.ts';
import type { ControlPlane } from './control-plane.ts';
import type { Words } from './in-words.ts';
import type { Narrator } from './narrator.ts';

/** Service and narrator of a story. */
export type DemoStage = {
  readonly where: Whereabouts;
  readonly tell: Narrator;
  /** Unique for each run, so that many can be played on one service. */
  readonly run: string;
};

/** An organization with its owner, who has just stepped up. */
export type OrganizationWithOwner = {
  /** Her credentials. The password is secret. */
  readonly person: { readonly email: string; readonly password: string };
  readonly owner: ControlPlane;
  readonly words: Words;
  readonly workspaceId: string;
  readonly environmentId: string;
};

/** Stage with an agent that can send requests. */
export type DemoScene = DemoStage &
  OrganizationWithOwner & {
    readonly agentId: string;
    readonly governance: Governance;
    readonly agent: AgentVoice;
    /** Returns what the sandbox receiver got of this run so far, oldest first. */
    readonly received: () => Promise<readonly string[]>;
  };

/** Amounts are minor units: 12000 is 120.00. */
export const refund = (order: string, amount: number) => ({ parameters: { order, amount, currency: 'USD' } });
