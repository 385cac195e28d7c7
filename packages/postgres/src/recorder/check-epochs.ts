import type { PreparedConnection, PreparedStatement } from './prepared-connection.ts';

export type EpochQuestion = {
  readonly organization_id: string;
  readonly environment_id: string;
  readonly agent_id: string;
  readonly environment_epoch: number;
  readonly agent_epoch: number;
  /** The source of a request that is not authenticated yet: it then uses nothing of the organization's share. */
  readonly unproven?: string | undefined;
};

const CHECK_EPOCHS: PreparedStatement = {
  name: 'check_epochs',
  text: `select q.n::int as n from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
      with ordinality as q (organization_id, environment_id, agent_id, environment_epoch, agent_epoch, n)
    cross join lateral (select from environment_epochs e where e.organization_id = q.organization_id and e.environment_id = q.environment_id
      and e.epoch = q.environment_epoch limit 1) as here
    cross join lateral (select from agent_epochs a where a.organization_id = q.organization_id and a.agent_id = q.agent_id
      and a.epoch = q.agent_epoch limit 1) as its`,
};

/** Checks if each pair of epochs is still the newest, for many questions in one round trip. */
export const checkEpochs = async (connection: PreparedConnection, questions: readonly EpochQuestion[]): Promise<boolean[]> => {
  const rows = await connection.run<{ n: number }>(CHECK_EPOCHS, [
    questions.map((q) => q.organization_id),
    questions.map((q) => q.environment_id),
    questions.map((q) => q.agent_id),
    questions.map((q) => q.environment_epoch),
    questions.map((q) => q.agent_epoch),
  ]);
  const current = new Set(rows.map((row) => row.n));
  return questions.map((_, index) => current.has(index + 1));
};
