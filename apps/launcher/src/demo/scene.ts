import type { Governance } from '@svc/sdk/governance.ts';
import type { Whereabouts } from '../data-folder/run-claim.ts';
import type { AgentVoice } from './agent-voice.ts';
import type { ControlPlane } from './control-plane.ts';
import type { Words } from './in-words.ts';
import type { Narrator } from './narrator.ts';

/** Where the story plays and who tells it. */
export type Stage = {
  readonly where: Whereabouts;
  readonly tell: Narrator;
  /** Different at each run, so that many may be played on one service. */
  readonly run: string;
};

/** An organization with its owner, who has just proved who she is. */
export type Founded = {
  /** What she signs in with. The password is secret. */
  readonly person: { readonly email: string; readonly password: string };
  readonly owner: ControlPlane;
  readonly words: Words;
  readonly workspaceId: string;
  readonly environmentId: string;
};

/** And an agent in it, which can ask. */
export type Scene = Stage &
  Founded & {
    readonly agentId: string;
    readonly governance: Governance;
    readonly agent: AgentVoice;
    /** What the sandbox receiver got of this run so far, oldest first. */
    readonly received: () => Promise<readonly string[]>;
  };

/** 12000 is 120.00. */
export const refund = (order: string, amount: number) => ({ parameters: { order, amount, currency: 'USD' } });
