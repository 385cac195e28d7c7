import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { call } from '../../data/call.ts';
import { faultOf } from '../../data/faults.ts';
import type { Done } from '../../data/listing.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { shownJson } from '../../design/shown-json.ts';

const WORDS_MAX = 1000;

type Decided = { readonly status: string };
type StepsProps = {
  readonly id: string;
  readonly wording: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly done: Done;
};

/** What is no JSON is sent as it is, and refused with its place. */
const read = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
};

/** What an approver does besides saying yes or no: narrow the request, ask about it, hand it over. */
export const OtherSteps = ({ id, wording, parameters, done }: StepsProps): ReactNode => (
  <details>
    <summary>Narrow it, ask about it, or hand it over</summary>
    <Form<Decided>
      submit="Narrow and approve"
      send={({ parameters: text = '' }) => call('POST', `/v1/approvals/${id}/edit`, { parameters: read(text), wording })}
      then={({ status }) =>
        done(
          status === 'APPROVED' ? 'Approved as you narrowed it.' : 'Narrowed: votes before count no more, and others are asked for theirs.',
        )
      }
      fields={(error) => (
        <Textarea
          name="parameters"
          label="Arguments"
          description="Lower numbers, fewer elements, of what the tool lets approvers narrow. Nothing that was not asked."
          defaultValue={shownJson(parameters)}
          autosize
          required
          error={faultOf(error, 'parameters')}
        />
      )}
    />
    <Form<Decided>
      submit="Ask"
      send={({ question }) => call('POST', `/v1/approvals/${id}/questions`, { question })}
      then={() => done('Asked: the agent, or whoever manages it, may answer.')}
      fields={(error) => <TextField error={error} name="question" label="Question to the agent" maxLength={WORDS_MAX} />}
    />
    <Form<Decided>
      submit="Hand over"
      send={({ user_id }) => call('POST', `/v1/approvals/${id}/delegate`, { user_id })}
      then={() => done('Handed over: they decide in your stead.')}
      fields={(error) => <TextField error={error} name="user_id" label="Id of the person who decides instead" maxLength={64} />}
    />
  </details>
);
