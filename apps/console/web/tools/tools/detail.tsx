import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { getShownJson } from '../../data/shown-json.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { DecisionChart, formatCounts } from '../../design/decision-bar.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Id } from '../../design/id.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { AuthorizedAgents } from './agents.tsx';
import { DataFlow } from './flow.tsx';
import { formatRisk, RISK_TONES } from './list.tsx';
import { Routes } from './routes.tsx';
import type { Tool } from './tool.ts';
import { TryIt } from './try-it.tsx';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DAYS = 7;

const Calls = ({ tool }: { readonly tool: Tool }): ReactNode => {
  const [from] = useState(() => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - DAYS * DAY_MS).toISOString());
  const { data, error } = useOperation('summarizeActions', { query: { tool: tool.id, from } });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Skeleton lines={3} />;
  return (
    <>
      <p>
        Last {DAYS} days: {formatCounts(data.decisions)}. <a href={`${buildConsolePath('actions')}?tool=${tool.id}`}>Show the actions</a>
      </p>
      <DecisionChart buckets={data.buckets} label={`Decisions of the last ${DAYS} days: ${formatCounts(data.decisions)}`} />
    </>
  );
};

const Versions = ({ toolId }: { readonly toolId: string }): ReactNode => {
  const { data } = useOperation('listToolVersions', { params: { toolId } });
  return (
    <ul className="rows">
      {data?.map(({ version_number, created_at }) => (
        <li key={version_number}>
          <span>Version {version_number}</span>
          <Time at={created_at} />
        </li>
      ))}
    </ul>
  );
};

const Declaration = ({ tool }: { readonly tool: Tool }): ReactNode => {
  const environments = useEnvironments() ?? [];
  const { execution, amount_from, currency_from, narrowable, destination_allowlist } = tool;
  return (
    <>
      <Facts
        facts={[
          ...(tool.description === '' ? [] : [['Description', tool.description] as const]),
          ['Environment', getEnvironmentLabel(tool.environment_id, environments)],
          ['Capability', tool.required_capability],
          ['Destinations', destination_allowlist.join(', ') || 'Any'],
          ...(execution === null ? [] : [['Call', `${execution.method} ${execution.url}`] as const]),
          ...(amount_from === null ? [] : [['Amount from', amount_from] as const]),
          ...(currency_from === null ? [] : [['Currency from', currency_from] as const]),
          ...(narrowable.length === 0 ? [] : [['Approvers may lower', narrowable.join(', ')] as const]),
          ['Id', <Id key="id" id={tool.id} />],
        ]}
      />
      <h3>Parameters</h3>
      <pre className="request">{getShownJson(tool.parameters_schema)}</pre>
    </>
  );
};

type SwitchProps = { readonly tool: Tool; readonly session: Session; readonly done: (text: string) => void };

/** Disables the tool for all agents, or enables it again. */
const Switch = ({ tool, session, done }: SwitchProps): ReactNode => {
  const isActive = tool.status === 'ACTIVE';
  if (!may(session, isActive ? 'tool:disable' : 'tool:enable')) return null;
  const label = isActive ? 'Disable' : 'Enable';
  return (
    <DialogButton label={label} title={`${label} ${tool.name}`} isDanger={isActive}>
      {(close) => (
        <ReasonForm
          submit={label}
          isDanger={isActive}
          send={(reason) =>
            isActive
              ? client.request('disableTool', { params: { toolId: tool.id }, body: { reason } })
              : client.request('enableTool', { params: { toolId: tool.id }, body: { reason } })
          }
          then={() => {
            close();
            done(isActive ? `Disabled: ${tool.name}.` : `Enabled: ${tool.name}.`);
            void refresh('getTool', 'listTools');
          }}
        >
          <p>{isActive ? 'No agent can use the tool until it is enabled again.' : 'Authorized agents can use the tool again.'}</p>
        </ReasonForm>
      )}
    </DialogButton>
  );
};

type ToolPageProps = { readonly params: RouteParams<'tool'>; readonly session: Session };

const PARENT = { name: 'Tools', path: buildConsolePath('tools') };

/** One tool: its declaration, who may use it, its calls, and a simulation. */
export const ToolPage = ({ params, session }: ToolPageProps): ReactNode => {
  const { data: tool, error } = useOperation('getTool', { params });
  const { announce, announcement } = useAnnouncement();
  return (
    <ConsolePage
      title={tool?.name ?? 'Tool'}
      parent={PARENT}
      actions={tool === undefined ? null : <Switch tool={tool} session={session} done={announce} />}
    >
      <Problem error={error ?? undefined} />
      {announcement}
      {tool === undefined && !error ? <Skeleton lines={8} /> : null}
      {tool === undefined ? null : (
        <>
          <div className="answer-head">
            <StatusPill tone={tool.status === 'ACTIVE' ? 'allowed' : 'blocked'}>
              {tool.status === 'ACTIVE' ? 'Active' : 'Disabled'}
            </StatusPill>
            <StatusPill tone={RISK_TONES[tool.risk_rating]}>{formatRisk(tool.risk_rating)} risk</StatusPill>
            {tool.dangerous ? <StatusPill tone="blocked">Dangerous</StatusPill> : null}
            <bdi className="quiet-text">{tool.disabled_reason}</bdi>
          </div>
          <div className="split">
            <div>
              <Panel title="Declaration">
                <Declaration tool={tool} />
              </Panel>
              <Panel title="Data flow">
                <DataFlow tool={tool} session={session} done={announce} />
              </Panel>
              {may(session, 'policy:simulate') ? (
                <Panel title="Try it">
                  <TryIt tool={tool} session={session} />
                </Panel>
              ) : null}
            </div>
            <div>
              <Panel title="Agents">
                <AuthorizedAgents tool={tool} session={session} done={announce} />
              </Panel>
              {tool.kind === 'SDK' ? (
                <Panel title="Routes at a proxy">
                  <Routes tool={tool} session={session} done={announce} />
                </Panel>
              ) : null}
              {may(session, 'action:read') ? (
                <Panel title="Calls">
                  <Calls tool={tool} />
                </Panel>
              ) : null}
              <Panel title="Versions">
                <Versions toolId={tool.id} />
              </Panel>
            </div>
          </div>
        </>
      )}
    </ConsolePage>
  );
};
