import type { ReactNode } from 'react';
import type { ApiAnswer } from '../data/answer.ts';
import { TextField } from './fields.tsx';
import { Form } from './form.tsx';

const REASON_CHARS_MAX = 1000;

type ReasonFormProps<Body> = {
  readonly submit: string;
  readonly isDanger?: boolean;
  /** The consequence, before the button. */
  readonly children?: ReactNode;
  readonly send: (reason: string) => Promise<ApiAnswer<Body>>;
  readonly then: (body: Body) => void;
};

/** Makes a change with a reason for the record. */
export const ReasonForm = <Body,>({ submit, isDanger = false, children, send, then }: ReasonFormProps<Body>): ReactNode => (
  <>
    {children}
    <Form
      submit={submit}
      {...(isDanger ? { color: 'red' as const } : {})}
      send={({ reason = '' }) => send(reason)}
      then={then}
      fields={(error) => <TextField error={error} name="reason" label="Reason" maxLength={REASON_CHARS_MAX} />}
    />
  </>
);
