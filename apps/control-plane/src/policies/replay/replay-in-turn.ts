import type { PolicyReplay } from '@svc/contract/policies/replay.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { newTurns } from '../../aside/in-turn.ts';
import type { ReplayQuestion } from './open-replay.ts';
import { replayActions } from './replay-actions.ts';

/** Replays that one process runs at the same time. */
const inTurn = newTurns(2);

export type Replayed = { readonly replay: PolicyReplay | null; readonly replay_note: string | null };

type Asking = {
  readonly database: Database;
  readonly scope: TenantScope;
  readonly holds: (permission: 'action:read') => boolean;
};

/** Replays recorded actions where the caller may read them, or says why there is no replay. */
export const replayInTurn = async ({ database, scope, holds }: Asking, question: ReplayQuestion): Promise<Replayed> => {
  if (question.days === 0) return { replay: null, replay_note: 'No days were asked for.' };
  // A person who reads differences of rules need not be one who may read what agents did.
  if (!holds('action:read')) return { replay: null, replay_note: 'Reading recorded actions takes action:read.' };
  const replay = await inTurn(scope.organization_id, () => replayActions(database, scope, question));
  return isRefusal(replay) ? { replay: null, replay_note: replay.message ?? null } : { replay, replay_note: null };
};
