import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ActionRequest } from '@svc/sdk/wire/options.ts';
import { type ReactNode, useState } from 'react';
import { callTexts } from '../../data/call-texts.ts';
import { client } from '../../data/client.ts';
import { formatMoney } from '../../data/money-text.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { actAsAgent, type TrialDecision } from './act-as-agent.ts';
import { SideBySide } from './step.tsx';
import { getAgentCallTexts, HELD_REQUEST, TRIAL_CURRENCY, TRIAL_TOOL, type TrialProgress } from './trial.ts';

/** Bytes of the largest file that is read as a key. */
const KEY_BYTES_MAX = 10_000;

export type TrialKey = {
  readonly gatewayUrl: string;
  /** Undefined after a reload, until the person chooses the downloaded file. */
  readonly privateKey: string | undefined;
  readonly onKey: (privateKey: string) => void;
  readonly progress: TrialProgress;
};

/** Reads the downloaded key again. It is not sent. */
const KeyFile = ({ name, onKey }: { readonly name: string; readonly onKey: (key: string) => void }): ReactNode => (
  <>
    <p>This page no longer has the key. Choose the file that you downloaded; it is not sent to the service.</p>
    <label className="file-field">
      Private key of {name}
      <input
        type="file"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined && file.size <= KEY_BYTES_MAX) void file.text().then((text) => onKey(text.trim()));
        }}
      />
    </label>
    <p className="quiet-text">
      Without the file, <a href={buildConsolePath('start')}>start again with another agent</a>.
    </p>
  </>
);

type CallProps = TrialKey & {
  readonly submit: string;
  readonly request: ActionRequest;
  readonly then: (decided: TrialDecision) => void;
};

/** Sends one request to the gateway as the agent. */
const Call = ({ gatewayUrl, privateKey, onKey, progress, submit, request, then }: CallProps): ReactNode => {
  const { agent: agentId = '', name = '' } = progress.values;
  if (privateKey === undefined) return <KeyFile name={name} onKey={onKey} />;
  return (
    <Form
      submit={submit}
      send={() => actAsAgent({ gatewayUrl, agentId, privateKey }, TRIAL_TOOL, request)}
      then={then}
      fields={() => null}
    />
  );
};

type CallStepProps = TrialKey & {
  readonly request: ActionRequest;
  /** The member of the progress that the result fills. */
  readonly fills: 'allowed' | 'held';
};

/** A request that the policy allows or holds. A response of the other kind is shown, and the step stays. */
export const CallStep = ({ request, fills, ...key }: CallStepProps): ReactNode => {
  const [other, setOther] = useState<string>();
  const { agent: agentId = '', name = '' } = key.progress.values;
  const amount = formatMoney(Number(request.parameters?.amount), TRIAL_CURRENCY);
  const take = (decided: TrialDecision): void => {
    if (decided.isHeld === (fills === 'held')) key.progress.set({ [fills]: decided.isHeld ? decided.approvalId : decided.actionId });
    else setOther(decided.reason);
  };
  return (
    <SideBySide label="The agent’s request" texts={getAgentCallTexts({ gatewayUrl: key.gatewayUrl, agentId, name }, request)}>
      <Text size="sm">
        {name} requests a refund of {amount}. This browser signs the request as the agent.
      </Text>
      <Call {...key} request={request} submit={`Request ${amount}`} then={take} />
      <p role="status">{other === undefined ? '' : `The decision was another one: ${other}`}</p>
    </SideBySide>
  );
};

/** Approves the held request, then sends it again with the approval. */
export const ApproveStep = (key: TrialKey): ReactNode => {
  const approvalId = key.progress.values.held ?? '';
  const { agent: agentId = '', name = '' } = key.progress.values;
  const { data: approval, error, refetch } = useOperation('getApproval', { params: { approvalId } });
  const repeated = { ...HELD_REQUEST, approvalId };
  const isApproved = approval?.status === 'APPROVED';
  const texts = isApproved
    ? getAgentCallTexts({ gatewayUrl: key.gatewayUrl, agentId, name }, repeated)
    : callTexts('approveApproval', { params: { approvalId }, body: { wording: approval?.wording ?? 1 } }, location.origin);
  return (
    <SideBySide label={isApproved ? 'The agent’s second request' : 'Approve'} texts={texts}>
      <Problem error={error ?? undefined} />
      <Text size="sm">{approval?.reason}</Text>
      {isApproved ? (
        <Call
          {...key}
          request={repeated}
          submit="Request again with the approval"
          then={(decided) => key.progress.set({ done: decided.isHeld ? '' : decided.actionId })}
        />
      ) : (
        <Form
          submit="Approve"
          send={() => client.request('approveApproval', { params: { approvalId }, body: { wording: approval?.wording ?? 1 } })}
          then={() => void refetch()}
          onFailure={() => void refetch()}
          fields={() => null}
        />
      )}
    </SideBySide>
  );
};
