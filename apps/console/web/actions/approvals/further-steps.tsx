import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { useOperation } from '../../data/use-operation.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import type { StepProps } from './other-steps.tsx';

const WORDS_MAX = 1000;

/** Asks the agent and the people who manage it. */
export const Ask = ({ approval: { id }, done }: StepProps): ReactNode => (
  <Form
    submit="Ask"
    send={({ question = '' }) => client.request('askAboutApproval', { params: { approvalId: id }, body: { question } })}
    then={() => done('Question sent to the agent and the people who manage it.')}
    fields={(error) => <TextField error={error} name="question" label="Question to the agent" maxLength={WORDS_MAX} />}
  />
);

/** Hands the decision to another person. */
export const Reassign = ({ approval: { id }, session, done }: StepProps): ReactNode => {
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
