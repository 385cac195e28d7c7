import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import type { Session } from '../../data/session.ts';
import { Ago } from '../../design/ago.tsx';
import { DecisionPill } from '../../design/decision-pill.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { Warning } from '../../design/warning.tsx';
import { PermissionHolders } from '../../people/members/permission-holders.tsx';
import { type Action, STATUS_TONES, STATUS_WORDS } from './action.ts';
import { getDecidingRule } from './explanation.ts';

/** The check that refused where no rule decided. */
const refusingStage = ({ explanation }: Action): string | undefined =>
  explanation.stages.find(({ outcome }) => outcome === 'refused' || outcome === 'held')?.stage;

const NOT_ENFORCED = {
  OBSERVE: 'The environment observes: the request ran. In the mode ENFORCE it would not have run.',
  SIMULATE: 'The environment simulates: the request did not run.',
} as const;

/** The rule that decided, or the check that refused. */
const Decider = ({ action }: { readonly action: Action }): ReactNode => {
  const rule = getDecidingRule(action);
  if (rule !== null)
    return (
      <>
        Rule <a href={`#rule-${rule.id}`}>{rule.id}</a> of <bdi>{rule.policy_name}</bdi>, version {rule.version_number}
      </>
    );
  const stage = refusingStage(action);
  return stage === undefined ? null : (
    <>
      Check <a href={`#stage-${stage}`}>{stage}</a>
    </>
  );
};

const isStopped = ({ decision }: Action): boolean => decision === 'BLOCK' || decision === 'REQUIRE_APPROVAL';

/** The decision, its reason and the rule behind it, before everything else. */
export const Answer = ({ action, session }: { readonly action: Action; readonly session: Session }): ReactNode => (
  <>
    <section className="answer" data-decision={action.decision} aria-label="Decision">
      <div className="answer-head">
        <DecisionPill decision={action.decision} />
        <StatusPill tone={STATUS_TONES[action.status]}>{STATUS_WORDS[action.status]}</StatusPill>
        <span className="quiet-text">
          <Ago at={action.created_at} />
        </span>
      </div>
      <p className="answer-reason">
        <bdi>{action.reason}</bdi>
      </p>
      <p className="quiet-text">
        <Decider action={action} />
        {action.code === null ? null : (
          <>
            {' · '}
            <code>{action.code}</code>
          </>
        )}
      </p>
      {isStopped(action) && getDecidingRule(action) !== null ? (
        <p className="quiet-text">
          Can change the rule: <PermissionHolders permission="policy:activate" session={session} />
          {' · '}
          <a href={buildConsolePath('policyEditor', { policyId: getDecidingRule(action)?.policy_id ?? '' })}>Edit the policy</a>
        </p>
      ) : null}
      {action.status === 'PENDING_APPROVAL' && action.approval_id !== null ? (
        <p>
          <a href={buildConsolePath('approval', { approvalId: action.approval_id })}>Open the approval</a>
        </p>
      ) : null}
    </section>
    {action.mode !== 'ENFORCE' && isStopped(action) ? <Warning title="Not enforced">{NOT_ENFORCED[action.mode]}</Warning> : null}
  </>
);
