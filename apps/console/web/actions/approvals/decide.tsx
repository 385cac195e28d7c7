import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { OtherSteps } from './other-steps.tsx';
import type { Approval } from './summary.tsx';

const WORDS_MAX = 1000;

type DecideProps = {
  readonly approval: Approval;
  /** Names the approval in the result. */
  readonly name: string;
  readonly session: Session;
  readonly done: (text: string) => void;
};

const Approve = ({ approval: { id, wording, agent_name }, done }: DecideProps): ReactNode => (
  <Form
    submit="Approve"
    send={({ comment = '' }) =>
      client.request('approveApproval', { params: { approvalId: id }, body: comment === '' ? { wording } : { comment, wording } })
    }
    then={({ status }) =>
      done(status === 'APPROVED' ? `Approved. ${agent_name} can continue.` : 'Your approval was recorded. More approvals are required.')
    }
    fields={(error) => <TextField error={error} name="comment" label="Comment" required={false} maxLength={WORDS_MAX} />}
  />
);

const Deny = ({ approval: { id }, name, done }: DecideProps): ReactNode => (
  <Form
    submit="Deny"
    color="red"
    send={({ reason = '' }) => client.request('denyApproval', { params: { approvalId: id }, body: { reason } })}
    then={() => done(`Denied: ${name}.`)}
    fields={(error) => <TextField error={error} name="reason" label="Reason to deny" maxLength={WORDS_MAX} />}
  />
);

/** Two forms, so that the comment of one is never sent with the other. */
export const Decide = (props: DecideProps): ReactNode => {
  const { approval, session, done } = props;
  const [mayApprove, mayDeny] = [may(session, 'approval:approve'), may(session, 'approval:deny')];
  return (
    <>
      <Group className="decisions" align="start" gap="lg">
        {mayApprove ? <Approve {...props} /> : null}
        {mayDeny ? <Deny {...props} /> : null}
      </Group>
      {mayApprove ? <OtherSteps approval={approval} done={done} /> : null}
      {mayApprove || mayDeny ? null : <MissingPermission needs="approval:approve" to="decide on approvals" />}
    </>
  );
};
