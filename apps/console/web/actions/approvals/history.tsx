import type { ReactNode } from 'react';
import { getShownJson } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Text } from '../../design/kit.tsx';
import { Warning } from '../../design/warning.tsx';
import type { ApprovalDetails } from './summary.tsx';

const Questions = ({ questions }: Pick<ApprovalDetails, 'questions'>): ReactNode =>
  questions.map(({ question_number, question, answer, is_untrusted }) => (
    <div key={question_number}>
      <Text fw={600}>
        <bdi>{question}</bdi>
      </Text>
      <Text>
        {answer === null ? 'Not answered yet.' : is_untrusted ? 'From the agent (unverified): ' : 'Answered for the agent: '}
        <bdi>{answer}</bdi>
      </Text>
    </div>
  ));

/** The arguments as the agent sent them, where an approver changed them. */
const Wordings = ({ wordings }: Pick<ApprovalDetails, 'wordings'>): ReactNode =>
  wordings.length === 0 ? null : (
    <>
      <Text fw={600}>Changed by an approver: the agent’s arguments, and each change</Text>
      {wordings.map(({ wording, parameters }) => (
        <pre key={wording} className="request">
          {getShownJson(parameters)}
        </pre>
      ))}
    </>
  );

const AgentStatus = ({ agent_status }: Pick<ApprovalDetails, 'agent_status'>): ReactNode =>
  agent_status === null || agent_status === 'ACTIVE' ? null : (
    <Warning title={`The agent is ${agent_status.toLowerCase()}`}>
      Its requests do not run until it is active again. Requests of a revoked agent cannot be decided.
    </Warning>
  );

/** Reassignments, with the names of the people. */
const Handovers = ({ approval: { id, handovers, votes } }: { readonly approval: ApprovalDetails }): ReactNode => {
  const { data = [] } = useOperation('listApprovers', { params: { approvalId: id } }, { isEnabled: handovers.length > 0 });
  const names = new Map([...votes, ...data].map(({ user_id, user_name }) => [user_id, user_name]));
  return handovers.map(({ from_user_id, to_user_id, comment, stands }) => (
    <Text key={from_user_id}>
      <bdi>{names.get(from_user_id) ?? from_user_id}</bdi> reassigned the decision to <bdi>{names.get(to_user_id) ?? to_user_id}</bdi>
      {stands ? '' : ', which is no longer in force'}
      {comment === null ? '' : ': '}
      <bdi>{comment}</bdi>
    </Text>
  ));
};

/** Warnings, changes, questions and reassignments of an approval. */
export const History = ({ approval }: { readonly approval: ApprovalDetails }): ReactNode => {
  const { status, approvable, remedy, agent_status, wordings, questions } = approval;
  return (
    <>
      {approvable || status !== 'PENDING' ? null : <Warning title="No eligible approver">{remedy}</Warning>}
      {status === 'PENDING' ? <AgentStatus agent_status={agent_status} /> : null}
      <Wordings wordings={wordings} />
      <Questions questions={questions} />
      <Handovers approval={approval} />
    </>
  );
};
