import type { ReactNode } from 'react';
import type { ApiAnswer } from '../../data/answer.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';

const REASON_CHARS_MAX = 1000;

type WithReasonProps<Body> = {
  readonly submit: string;
  /** The consequence. */
  readonly means: string;
  readonly send: (reason: string) => Promise<ApiAnswer<Body>>;
  readonly then: () => void;
};

/** Takes something away, with a reason for the record. */
export const WithReason = <Body,>({ submit, means, send, then }: WithReasonProps<Body>): ReactNode => (
  <>
    <Text mb="md">{means}</Text>
    <Form
      submit={submit}
      color="red"
      send={({ reason = '' }) => send(reason)}
      then={then}
      fields={(error) => <TextField error={error} name="reason" label="Reason" maxLength={REASON_CHARS_MAX} />}
    />
  </>
);
