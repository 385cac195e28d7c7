import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** Keyed by step: the time and content of its answer. */
export type StoredAnswers = Readonly<
  Record<string, { readonly answered_at: string; readonly answers: Readonly<Record<string, unknown>> } | undefined>
>;

export type StoredOnboarding = {
  readonly answers: StoredAnswers;
  readonly environment_id: string | null;
  readonly completed_at: string | null;
};

type Whose = { readonly organization_id: string; readonly user_id: string };

/** Undefined for a person without any answer. */
export const readOnboarding = (tx: TenantTransaction, { organization_id, user_id }: Whose): Promise<StoredOnboarding | undefined> =>
  tx
    .selectFrom('onboardings')
    .select(['answers', 'environment_id', 'completed_at'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();

export type AnsweredStep = { readonly step: string; readonly answers: Readonly<Record<string, unknown>>; readonly now: Date };

/** Stores the answers of one step, and keeps the others. Returns false if the onboarding is complete. */
export const saveAnswers = async (
  tx: TenantTransaction,
  { organization_id, user_id }: Whose,
  { step, answers, now }: AnsweredStep,
): Promise<boolean> => {
  const saved = JSON.stringify({ [step]: { answered_at: now.toISOString(), answers } });
  const { rows } = await sql`
    insert into onboardings as o (organization_id, user_id, answers, created_at, updated_at)
    values (${organization_id}, ${user_id}, ${saved}::jsonb, ${now}, ${now})
    on conflict (organization_id, user_id) do update set answers = o.answers || excluded.answers, updated_at = excluded.updated_at
     where o.completed_at is null
    returning 1`.execute(tx);
  return rows.length > 0;
};

/** Completes it once: of many at the same time one does, and is answered what was answered. Undefined for all others. */
export const takeCompletion = async (
  tx: TenantTransaction,
  { organization_id, user_id }: Whose,
  environmentId: string | null,
  now: Date,
): Promise<StoredOnboarding | undefined> => {
  const { rows } = await sql<StoredOnboarding>`
    insert into onboardings as o (organization_id, user_id, environment_id, completed_at, created_at, updated_at)
    values (${organization_id}, ${user_id}, ${environmentId}, ${now}, ${now}, ${now})
    on conflict (organization_id, user_id) do update set
      environment_id = excluded.environment_id, completed_at = excluded.completed_at, updated_at = excluded.updated_at
     where o.completed_at is null
    returning answers, environment_id, completed_at`.execute(tx);
  return rows[0];
};
