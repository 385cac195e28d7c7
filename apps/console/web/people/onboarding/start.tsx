import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { useQueryState } from '../../data/use-query-state.ts';
import { Anchor, Button, Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { ConsolePage, HOME } from '../../layout/console-page.tsx';
import { AgentStep, KeyDownload } from './agent-step.tsx';
import { ApproveStep, CallStep, type TrialKey } from './call-steps.tsx';
import { PolicyStep } from './policy-step.tsx';
import { Step } from './step.tsx';
import { ALLOWED_REQUEST, HELD_REQUEST, TRIAL_MEMBERS, type TrialMember } from './trial.ts';

/** The member of the progress that each step fills, in order. */
const FILLED: readonly TrialMember[] = ['agent', 'policy', 'allowed', 'held', 'done'];

const WhyLink = ({ actionId, children }: { readonly actionId: string; readonly children: ReactNode }): ReactNode => (
  <Anchor href={buildConsolePath('action', { actionId })}>{children}</Anchor>
);

const Done = ({ actionId }: { readonly actionId: string }): ReactNode => (
  <section className="panel" aria-label="Result">
    <p role="status">You made your first decisions: one allowed, one held and approved.</p>
    <p>
      <WhyLink actionId={actionId}>See why the approved action ran</WhyLink>, or{' '}
      <Anchor href={buildConsolePath('newAgent')}>register an agent</Anchor> of your own.
    </p>
  </section>
);

type StepsProps = { readonly session: Session; readonly gatewayUrl: string; readonly sandboxUrl: string | null };

const Steps = ({ session, gatewayUrl, sandboxUrl }: StepsProps): ReactNode => {
  const progress = useQueryState(TRIAL_MEMBERS);
  const [privateKey, setKey] = useState<string>();
  const { name = '', allowed = '', held = '', done } = progress.values;
  const first = FILLED.findIndex((member) => progress.values[member] === undefined);
  const current = first === -1 ? FILLED.length : first;
  const findState = (step: number) => (step < current ? 'done' : step === current ? 'current' : 'next');
  const key: TrialKey = { gatewayUrl, privateKey, onKey: setKey, progress };
  return (
    <>
      {privateKey === undefined || name === '' ? null : <KeyDownload name={name} privateKey={privateKey} />}
      <ol className="trial">
        <Step number={1} title="Create an agent" state={findState(0)} result={`${name} has its own key.`}>
          <AgentStep session={session} progress={progress} onKey={setKey} />
        </Step>
        <Step number={2} title="Choose a policy" state={findState(1)} result="The policy is active in the environment Trial.">
          <PolicyStep session={session} progress={progress} sandboxUrl={sandboxUrl} />
        </Step>
        <Step
          number={3}
          title="Request something allowed"
          state={findState(2)}
          result={<WhyLink actionId={allowed}>Allowed. See why</WhyLink>}
        >
          <CallStep {...key} request={ALLOWED_REQUEST} fills="allowed" />
        </Step>
        <Step
          number={4}
          title="Request something that needs approval"
          state={findState(3)}
          result={<Anchor href={buildConsolePath('approval', { approvalId: held })}>Held for approval</Anchor>}
        >
          <CallStep {...key} request={HELD_REQUEST} fills="held" />
        </Step>
        <Step number={5} title="Approve it" state={findState(4)} result="Approved, and the action ran.">
          <ApproveStep {...key} />
        </Step>
      </ol>
      {done === undefined ? null : <Done actionId={done} />}
    </>
  );
};

/** The first decision, guided: an agent, a policy, an allowed and a held request. The address keeps the progress. */
export const Start = ({ session }: { readonly session: Session }): ReactNode => {
  const { data, error } = useOperation('getOnboarding', {});
  const skip = (
    <Button component="a" href={HOME} variant="default" size="xs">
      Skip
    </Button>
  );
  return (
    <ConsolePage title="First decision" actions={skip}>
      <Text>Try the service on made-up refunds. It takes about two minutes.</Text>
      <Problem error={error ?? undefined} />
      {data === undefined && !error ? <Skeleton lines={6} /> : null}
      {data === undefined ? null : <Steps session={session} gatewayUrl={data.setup.gateway_url} sandboxUrl={data.setup.sandbox_url} />}
    </ConsolePage>
  );
};
