import { NativeSelect } from '@mantine/core';
import { RISK_RATINGS, type RiskRating } from '@svc/contract/tables/vocabulary.ts';
import type { ReactNode } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Stack, Title } from '../../design/kit.tsx';
import { isSerious, type McpServer, type McpToolReview } from './server.ts';

/** The most agents that one authorization names. */
const limit = 100;
const AS_IT_IS = { value: '', label: 'Unchanged' };
const RATINGS = RISK_RATINGS.map((value) => ({ value, label: value.charAt(0) + value.slice(1).toLowerCase() }));
const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

type AuthorizeProps = {
  readonly server: McpServer;
  readonly tool: McpToolReview;
  readonly session: Session;
  readonly done: (text: string) => void;
};

/** Agents of the environment of the server, which may be authorized at the same time. */
const AgentFields = ({ server, error }: { readonly server: McpServer; readonly error: ApiError | undefined }): ReactNode => {
  const { data } = useOperation('listAgents', { query: { limit } });
  const agents = (data?.items ?? []).filter(({ environment_id }) => environment_id === server.environment_id);
  const fault = findFault(error, 'agent_ids');
  if (agents.length === 0) return null;
  return (
    <fieldset className="boxes">
      <legend>Agents that may use it (optional)</legend>
      <Stack gap="xs">
        {agents.map(({ id, name }) => (
          <Checkbox key={id} name="agent_ids" value={id} label={name} />
        ))}
        {fault === undefined ? null : <p role="alert">{fault}</p>}
      </Stack>
    </fieldset>
  );
};

/** The terms of the governed tool. Those of a tool that exists stay as they are unless they are chosen. */
const TermFields = ({ tool, error }: { readonly tool: McpToolReview; readonly error: ApiError | undefined }): ReactNode => {
  const { suggested } = tool;
  const isNew = tool.tool_id === null;
  const kept = isNew ? [] : [AS_IT_IS];
  return (
    <>
      <NativeSelect
        name="risk_rating"
        label="Risk"
        description={`Suggested from the annotations of the tool: ${suggested.risk_rating.toLowerCase()}.`}
        data={[...kept, ...RATINGS]}
        defaultValue={isNew ? suggested.risk_rating : ''}
        error={findFault(error, 'risk_rating')}
      />
      <NativeSelect
        name="dangerous"
        label="Dangerous"
        description="Authorizing a dangerous or critical tool needs you to confirm your identity."
        data={[...kept, ...YES_NO]}
        defaultValue={isNew ? `${suggested.dangerous}` : ''}
        error={findFault(error, 'dangerous')}
      />
      <TextField
        error={error}
        name="required_capability"
        label="Capability"
        description={isNew ? 'Agents need it to call the tool.' : 'Agents need it to call the tool. Leave empty to keep it.'}
        required={isNew}
        defaultValue={isNew ? suggested.required_capability : ''}
      />
    </>
  );
};

/** Authorizes the definition that is shown, by its pin. */
export const Authorize = ({ server, tool, session, done }: AuthorizeProps): ReactNode => {
  const mayAuthorizeAgents = may(session, 'agent:read') && may(session, 'tool:update');
  return (
    <section aria-labelledby="authorize-title">
      <Title id="authorize-title" order={2} size="h4">
        Authorize
      </Title>
      <Form
        submit="Authorize this definition"
        send={({ risk_rating = '', dangerous = '', required_capability = '', accept_findings }, all) =>
          client.request('authorizeMcpTool', {
            params: { serverId: server.id, mcpToolId: tool.id },
            body: {
              pin: tool.pin,
              ...(risk_rating === '' ? {} : { risk_rating: risk_rating as RiskRating }),
              ...(dangerous === '' ? {} : { dangerous: dangerous === 'true' }),
              ...(required_capability === '' ? {} : { required_capability }),
              ...(all('agent_ids').length === 0 ? {} : { agent_ids: [...all('agent_ids')] }),
              ...(accept_findings === undefined ? {} : { accept_findings: true }),
            },
          })
        }
        then={({ name, tool_name }) => done(`${name} is authorized as ${tool_name}. An agent also needs the capability and the tool.`)}
        fields={(error) => (
          <>
            <TermFields tool={tool} error={error} />
            {mayAuthorizeAgents ? <AgentFields server={server} error={error} /> : null}
            {tool.findings.some(isSerious) ? (
              <Checkbox name="accept_findings" label="I have read the findings and accept them" required />
            ) : null}
          </>
        )}
      />
    </section>
  );
};
