import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import type { LabelledEnvironment } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { formatAgo, useNow } from '../../design/ago.tsx';
import { Facts } from '../../design/facts.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Panel } from '../../design/panel.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { AuthorityChain } from '../actions/authority.tsx';
import { getDecidingRule } from '../actions/explanation.ts';
import { Approvers } from './approvers.tsx';
import { Arguments } from './arguments.tsx';
import { Comparison } from './comparison.tsx';
import { Decide } from './decide.tsx';
import { History } from './history.tsx';
import { type ApprovalDetails, formatApprovalTitle, formatDecider, getSummary, STATUS_TONES, STATUS_WORDS } from './summary.tsx';
import { Votes } from './votes.tsx';

type CardProps = {
  readonly approval: ApprovalDetails;
  readonly environments: readonly LabelledEnvironment[];
  readonly session: Session;
  readonly done: (text: string) => void;
};

type WithdrawProps = Omit<CardProps, 'environments'> & { readonly name: string };

/** Shown to a person whose vote counts, until the approval is used. */
const WithdrawVote = ({ approval, name, session, done }: WithdrawProps): ReactNode => {
  const isOpen = approval.status === 'PENDING' || approval.status === 'APPROVED';
  const own = approval.votes.find(
    ({ user_id, vote, not_counted_because }) => user_id === session.user?.id && vote === 'APPROVE' && not_counted_because === null,
  );
  if (!isOpen || own === undefined || !may(session, 'approval:approve')) return null;
  return (
    <Form
      submit="Withdraw vote"
      send={({ comment = '' }) =>
        client.request('withdrawVote', { params: { approvalId: approval.id }, body: comment === '' ? {} : { comment } })
      }
      then={({ status }) =>
        done(status === 'PENDING' ? `Vote withdrawn: ${name} waits for approval again.` : `Vote withdrawn: ${name} stays approved.`)
      }
      onFailure={() => void refresh('getApproval')}
      fields={(error) => <TextField error={error} name="comment" label="Reason" required={false} maxLength={1000} />}
    />
  );
};

/** The status, the time that is left, and the reason why a person is asked. */
const Answer = ({ approval }: { readonly approval: ApprovalDetails }): ReactNode => {
  const now = useNow();
  const { status, expires_at, decided_at } = approval;
  const rule = getDecidingRule(approval);
  const by = formatDecider(approval);
  const isExpired = status === 'PENDING' && Date.parse(expires_at) <= now;
  return (
    <section className="answer" data-decision={status === 'PENDING' ? 'REQUIRE_APPROVAL' : undefined} aria-label="Status">
      <div className="answer-head">
        <StatusPill tone={isExpired ? 'neutral' : STATUS_TONES[status]}>
          {isExpired ? STATUS_WORDS.EXPIRED : STATUS_WORDS[status]}
        </StatusPill>
        <span className="quiet-text">
          {status === 'PENDING' && !isExpired ? `expires ${formatAgo(expires_at, now)}` : null}
          {by === '' ? null : (
            <>
              by <bdi>{by}</bdi>
              {decided_at === null ? '' : `, ${formatAgo(decided_at, now)}`}
            </>
          )}
        </span>
      </div>
      <p className="answer-reason">
        <bdi>{approval.reason}</bdi>
      </p>
      <p className="quiet-text">
        {rule === null ? null : (
          <>
            Rule <code>{rule.id}</code> of <bdi>{rule.policy_name}</bdi>, version {rule.version_number} ·{' '}
          </>
        )}
        <a href={buildConsolePath('action', { actionId: approval.action_id })}>Why it was held</a>
      </p>
    </section>
  );
};

/** One held request with its arguments, the votes, and what the person may decide. */
export const Card = ({ approval, environments, session, done }: CardProps): ReactNode => (
  <>
    <Answer approval={approval} />
    <div className="split approval">
      <div>
        <Panel title="Arguments">
          <Arguments approval={approval} />
        </Panel>
        {may(session, 'action:read') ? (
          <Panel title="Compared with earlier requests">
            <Comparison approval={approval} />
          </Panel>
        ) : null}
        <Panel title="Authority">
          <AuthorityChain action={approval} session={session} />
        </Panel>
        <Panel title="History">
          <History approval={approval} />
          <Votes approval={approval} />
        </Panel>
      </div>
      <div>
        {approval.status === 'PENDING' ? (
          <section className="panel decide" aria-label="Decision">
            <Decide approval={approval} name={formatApprovalTitle(approval)} session={session} done={done} />
          </section>
        ) : null}
        <WithdrawVote approval={approval} name={formatApprovalTitle(approval)} session={session} done={done} />
        {approval.status === 'PENDING' ? (
          <Panel title="Who may decide">
            <Approvers approval={approval} session={session} />
          </Panel>
        ) : null}
        <Panel title="Request">
          <Facts facts={getSummary(approval, environments)} />
        </Panel>
      </div>
    </div>
  </>
);
