import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Edit } from './edit.tsx';
import type { Approval } from './summary.tsx';

const WORDS_MAX = 1000;

type StepProps = { readonly approval: Approval; readonly session: Session; readonly done: (text: string) => void };

const Ask = ({ approval: { id }, done }: StepProps): ReactNode => (
  <Form
    submit="Ask"
    send={({ question = '' }) => client.request('askAboutApproval', { params: { approvalId: id }, body: { question } })}
    then={() => done('Question sent to the agent and the people who manage it.')}
    fields={(error) => <TextField error={error} name="question" label="Question to the agent" maxLength={WORDS_MAX} />}
  />
);

const Reassign = ({ approval: { id }, session, done }: StepProps): ReactNode => {
  const { data } = useOperation('listApprovers', { params: { approvalId: id } });
  const others = (data ?? []).filter(({ user_id, may_decide }) => may_decide && user_id !== session.user?.id);
  if (data !== undefined && others.length === 0) return <p>No other person may decide on this approval.</p>;
  return (
    <Form
      submit="Reassign"
      send={({ user_id = '', comment = '' }) =>
        client.request('handOverApproval', { params: { approvalId: id }, body: comment === '' ? { user_id } : { user_id, comment } })
      }
      then={() => done(`Reassigned.`)}
      fields={(error) => (
        <>
          <NativeSelect
            name="user_id"
            label="Reassign to"
            error={findFault(error, 'user_id')}
            data={others.map(({ user_id, user_name, role }) => ({
              value: user_id,
              label: role === null ? user_name : `${user_name} (${role})`,
            }))}
          />
          <TextField error={error} name="comment" label="Comment" required={false} maxLength={WORDS_MAX} />
        </>
      )}
    />
  );
};

const STEPS = [
  { label: 'Change and approve', Step: Edit },
  { label: 'Ask a question', Step: Ask },
  { label: 'Reassign', Step: Reassign },
] as const;

/** Steps of an approver other than approving or denying. */
export const OtherSteps = ({ approval, session, done }: StepProps): ReactNode =>
  STEPS.map(({ label, Step }) => (
    <DialogButton key={label} label={label}>
      {(close) => (
        <Step
          approval={approval}
          session={session}
          done={(text) => {
            close();
            done(text);
          }}
        />
      )}
    </DialogButton>
  ));
