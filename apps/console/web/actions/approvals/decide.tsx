import type { ReactNode } from 'react';
import { call } from '../../data/call.ts';
import type { Done } from '../../data/listing.tsx';
import type { Session } from '../../data/session.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { may } from '../../layout/permitted.ts';
import { OtherSteps } from './other-steps.tsx';

const WORDS_MAX = 1000;

type Decided = { readonly status: string };

type DecideProps = {
  readonly id: string;
  /** By which it is told afterwards what was decided. */
  readonly name: string;
  /** What is decided on: a vote is for the wording that was read. */
  readonly wording: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly session: Session;
  readonly done: Done;
};

/** Two forms, so that the word for the one is never sent with the other. */
export const Decide = ({ id, name, wording, parameters, session, done }: DecideProps): ReactNode => (
  <>
    {may(session, 'approval:approve') ? (
      <Form<Decided>
        submit="Approve"
        send={({ comment }) => call('POST', `/v1/approvals/${id}/approve`, comment === '' ? { wording } : { comment, wording })}
        then={({ status }) =>
          done(
            status === 'APPROVED'
              ? `Approved, ${name}: the agent may go on.`
              : `Your approval counts, ${name}: others are asked for theirs.`,
          )
        }
        fields={(error) => <TextField error={error} name="comment" label="Comment" required={false} maxLength={WORDS_MAX} />}
      />
    ) : null}
    {may(session, 'approval:deny') ? (
      <Form<Decided>
        submit="Deny"
        color="red"
        send={({ reason }) => call('POST', `/v1/approvals/${id}/deny`, { reason })}
        then={() => done(`Denied, ${name}: the agent is told so.`)}
        fields={(error) => <TextField error={error} name="reason" label="Reason to deny it" maxLength={WORDS_MAX} />}
      />
    ) : null}
    {may(session, 'approval:approve') ? <OtherSteps id={id} wording={wording} parameters={parameters} done={done} /> : null}
    {may(session, 'approval:approve') || may(session, 'approval:deny') ? null : (
      <MissingPermission needs="approval:approve" does="decide on no approval" />
    )}
  </>
);
