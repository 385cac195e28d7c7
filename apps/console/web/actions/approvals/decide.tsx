import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh } from '../../data/use-operation.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Group, Text } from '../../design/kit.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { OtherSteps } from './other-steps.tsx';
import { type ApprovalDetails, getAmount } from './summary.tsx';

const WORDS_MAX = 1000;

type DecideProps = {
  readonly approval: ApprovalDetails;
  /** Names the approval in the result. */
  readonly name: string;
  readonly session: Session;
  readonly done: (text: string) => void;
};

/** The card shows afterwards who decided meanwhile, and the text that was entered stays. */
const readAgain = (): void => void refresh('getApproval', 'listApprovals');

const Approve = ({ approval, done }: DecideProps): ReactNode => {
  const { id, wording, agent_name } = approval;
  return (
    <Form
      submit={['Approve', ...getAmount(approval)].join(' ')}
      send={({ comment = '' }) =>
        client.request('approveApproval', { params: { approvalId: id }, body: comment === '' ? { wording } : { comment, wording } })
      }
      then={({ status }) =>
        done(status === 'APPROVED' ? `Approved. ${agent_name} can continue.` : 'Your approval was recorded. More approvals are required.')
      }
      onFailure={readAgain}
      fields={(error) => <TextField error={error} name="comment" label="Comment" required={false} maxLength={WORDS_MAX} />}
    />
  );
};

const Deny = ({ approval: { id }, name, done }: DecideProps): ReactNode => (
  <DialogButton label="Deny" isDanger>
    {(close) => (
      <Form
        submit="Deny"
        color="red"
        send={({ reason = '' }) => client.request('denyApproval', { params: { approvalId: id }, body: { reason } })}
        then={() => {
          close();
          done(`Denied: ${name}.`);
        }}
        onFailure={readAgain}
        fields={(error) => (
          <TextField error={error} name="reason" label="Reason to deny" description="The agent reads it." maxLength={WORDS_MAX} />
        )}
      />
    )}
  </DialogButton>
);

/** Why the person may not approve, before they try. */
const NotDecidable = ({ approval, session }: Pick<DecideProps, 'approval' | 'session'>): ReactNode =>
  may(session, 'approval:approve') || may(session, 'approval:deny') ? (
    <Text>{approval.decidable?.reason}</Text>
  ) : (
    <MissingPermission needs="approval:approve" to="decide on approvals" />
  );

/** The buttons of the decision; on phones they stay at the bottom of the screen. */
export const Decide = (props: DecideProps): ReactNode => {
  const { approval, session, done } = props;
  const { may_approve = false, may_deny = false } = approval.decidable ?? {};
  return (
    <>
      <div className="decisions">
        {may_approve ? <Approve {...props} /> : <NotDecidable approval={approval} session={session} />}
        {may_deny ? <Deny {...props} /> : null}
      </div>
      {may_approve ? (
        <Group gap="xs" mt="sm">
          <OtherSteps approval={approval} session={session} done={done} />
        </Group>
      ) : null}
    </>
  );
};
