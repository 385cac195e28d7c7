import { Alert, Text } from '@mantine/core';
import type { ApprovalStatus } from '@svc/contract/tables/vocabulary.ts';
import type { ReactNode } from 'react';
import { shownJson } from '../../design/shown-json.ts';

/** What was said and done about an approval besides voting. */
export type Besides = {
  readonly status: ApprovalStatus;
  readonly approvable: boolean;
  readonly remedy: string | null;
  readonly agent_status: string | null;
  readonly wordings: readonly { readonly wording: number; readonly parameters: unknown; readonly edited_by: string | null }[];
  readonly questions: readonly {
    readonly question_number: number;
    readonly question: string;
    readonly answer: string | null;
    readonly is_untrusted: boolean;
  }[];
  readonly handovers: readonly {
    readonly from_user_id: string;
    readonly to_user_id: string;
    readonly comment: string | null;
    readonly stands: boolean;
  }[];
};

const Asked = ({ questions }: Pick<Besides, 'questions'>): ReactNode =>
  questions.map(({ question_number, question, answer, is_untrusted }) => (
    <div key={question_number}>
      <Text fw={600}>
        <bdi>{question}</bdi>
      </Text>
      <Text>
        {answer === null ? 'Not answered yet.' : is_untrusted ? 'The agent says, and nobody has checked it: ' : 'Answered for the agent: '}
        <bdi>{answer}</bdi>
      </Text>
    </div>
  ));

/** The request as it was asked, where what stands above is a narrower one. */
const AskedFirst = ({ wordings }: Pick<Besides, 'wordings'>): ReactNode =>
  wordings.length === 0 ? null : (
    <>
      <Text fw={600}>Narrowed by an approver. What the agent asked, and each narrower wording</Text>
      {wordings.map(({ wording, parameters }) => (
        <pre key={wording} className="request">
          {shownJson(parameters)}
        </pre>
      ))}
    </>
  );

const Stopped = ({ agent_status }: Pick<Besides, 'agent_status'>): ReactNode =>
  agent_status === null || agent_status === 'ACTIVE' ? null : (
    <Alert color="yellow" title={`The agent is ${agent_status}`}>
      Nothing of it runs as long as it is. Where it is over for good, nothing is decided for it any more.
    </Alert>
  );

export const Said = ({
  besides: { status, approvable, remedy, agent_status, wordings, questions, handovers },
}: {
  readonly besides: Besides;
}): ReactNode => (
  <>
    {approvable || status !== 'PENDING' ? null : (
      <Alert color="yellow" title="No one who may vote can approve this">
        {remedy}
      </Alert>
    )}
    {status === 'PENDING' ? <Stopped agent_status={agent_status} /> : null}
    <AskedFirst wordings={wordings} />
    <Asked questions={questions} />
    {handovers.map(({ from_user_id, to_user_id, comment, stands }) => (
      <Text key={from_user_id}>
        {from_user_id} reassigned the decision to {to_user_id}
        {stands ? '' : ', which is no longer in force'}
        {comment === null ? '' : ': '}
        <bdi>{comment}</bdi>
      </Text>
    ))}
  </>
);
