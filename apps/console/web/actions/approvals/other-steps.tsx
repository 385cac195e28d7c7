import { Group, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { type BodyOf, client } from '../../data/client.ts';
import { faultOf } from '../../data/faults.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { shownJson } from '../../design/shown-json.ts';
import type { Approval } from './summary.tsx';

const WORDS_MAX = 1000;

type StepProps = { readonly approval: Approval; readonly done: (text: string) => void };

/** Parses JSON. Text that is not JSON is sent as it is, and the service refuses it with its position. */
const read = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
};

const Edit = ({ approval: { id, wording, parameters }, done }: StepProps): ReactNode => (
  <Form
    submit="Change and approve"
    send={({ parameters: text = '' }) =>
      client.request('editApproval', {
        params: { approvalId: id },
        body: { parameters: read(text), wording } as BodyOf<'editApproval'>,
      })
    }
    then={({ status }) => done(status === 'APPROVED' ? 'Changed and approved.' : 'Changed. Earlier approvals no longer count.')}
    fields={(error) => (
      <Textarea
        name="parameters"
        label="Arguments"
        description="Lower numbers or remove list items, where the tool allows it."
        defaultValue={shownJson(parameters)}
        rows={10}
        required
        error={faultOf(error, 'parameters')}
      />
    )}
  />
);

const Ask = ({ approval: { id }, done }: StepProps): ReactNode => (
  <Form
    submit="Ask"
    send={({ question = '' }) => client.request('askAboutApproval', { params: { approvalId: id }, body: { question } })}
    then={() => done('Question sent to the agent and the people who manage it.')}
    fields={(error) => <TextField error={error} name="question" label="Question to the agent" maxLength={WORDS_MAX} />}
  />
);

const Reassign = ({ approval: { id }, done }: StepProps): ReactNode => (
  <Form
    submit="Reassign"
    send={({ user_id = '' }) => client.request('handOverApproval', { params: { approvalId: id }, body: { user_id } })}
    then={() => done('Reassigned.')}
    fields={(error) => <TextField error={error} name="user_id" label="Reassign to (user id)" maxLength={64} />}
  />
);

const STEPS = [
  { label: 'Change and approve', Step: Edit },
  { label: 'Ask a question', Step: Ask },
  { label: 'Reassign', Step: Reassign },
] as const;

/** What an approver can do other than approve or deny. */
export const OtherSteps = ({ approval, done }: StepProps): ReactNode => (
  <Group gap="xs">
    {STEPS.map(({ label, Step }) => (
      <DialogButton key={label} label={label}>
        {(close) => (
          <Step
            approval={approval}
            done={(text) => {
              close();
              done(text);
            }}
          />
        )}
      </DialogButton>
    ))}
  </Group>
);
