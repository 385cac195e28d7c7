import { ONBOARDING_STEPS, type Onboarding } from '@svc/contract/people/onboarding.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { readOnboarding } from '@svc/postgres/people/onboarding.ts';
import { listEnvironments } from '@svc/postgres/tenancy/environments.ts';

type Asked = {
  readonly caller: { readonly organizationId: string; readonly actor: { readonly id: string } };
  readonly holds: (permission: 'environment:read') => boolean;
};
type Urls = { readonly base: string; readonly gateway: string; readonly sandbox: string | undefined };

export const getOnboardingOwner = ({ caller }: Pick<Asked, 'caller'>) => ({
  organization_id: caller.organizationId,
  user_id: caller.actor.id,
});

/** Formats the progress, the answers and the remaining steps for the person. */
export const formatOnboarding = async (tx: TenantTransaction, asked: Asked, { base, gateway, sandbox }: Urls): Promise<Onboarding> => {
  const whose = getOnboardingOwner(asked);
  const stored = await readOnboarding(tx, whose);
  const environments = asked.holds('environment:read') ? await listEnvironments(tx, whose.organization_id) : [];
  const steps = ONBOARDING_STEPS.map((step) => {
    const answered = stored?.answers[step];
    return { step, done: answered !== undefined, answered_at: answered?.answered_at ?? null, answers: answered?.answers ?? null };
  });
  return {
    steps,
    next_step: stored?.completed_at ? null : (steps.find(({ done }) => !done)?.step ?? null),
    completed_at: stored?.completed_at ?? null,
    environment_id: stored?.environment_id ?? null,
    setup: {
      control_plane_url: base,
      gateway_url: gateway,
      sandbox_url: sandbox ?? null,
      environments: environments.map(({ id, workspace_id, name, mode }) => ({ id, workspace_id, name, mode })),
    },
  };
};
