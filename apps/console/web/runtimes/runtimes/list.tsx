import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useEnvironments } from '../../data/environments.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { ENFORCEMENT_MEANING, EnforcementPill } from './enforcement-pill.tsx';
import { RegisterRuntime } from './register.tsx';
import { describeFindings, HEALTH_WORDS, KIND_WORDS, type Runtime } from './runtime.ts';

/** The enforcement of the organization: the weakest status, and what would change it. */
const Posture = (): ReactNode => {
  const { data: posture } = useOperation('getRuntimePosture', {});
  if (posture === undefined) return null;
  const { overall, agents, actions_24h, next_fall } = posture;
  return (
    <Panel title="Posture">
      <Facts
        facts={[
          ['Production', <EnforcementPill key="overall" status={overall} />],
          ['Meaning', ENFORCEMENT_MEANING[overall]],
          ['Agents in a runtime', `${agents.with_runtime} of ${agents.total}`],
          ['Agents refused for missing evidence', agents.refused_by_runtime],
          ['Actions from runtimes, last 24 hours', `${actions_24h.from_runtimes} of ${actions_24h.total}`],
          ['Next fall without new evidence', next_fall === null ? 'None' : <Time key="fall" at={next_fall.at} />],
        ]}
      />
    </Panel>
  );
};

/** Places in which agents run, with the evidence that they cannot bypass the service. */
export const Runtimes = ({ session }: { readonly session: Session }): ReactNode => {
  const list = usePages('listRuntimes', {});
  const environments = useEnvironments();
  const [, navigate] = useLocation();
  const mayRegister = may(session, 'runtime:manage');
  const register =
    mayRegister && environments ? (
      <DialogButton label="Register runtime" isPrimary>
        {(close) => (
          <RegisterRuntime
            environments={environments}
            onRegistered={({ id }) => {
              close();
              void refresh('listRuntimes', 'getRuntimePosture');
              navigate(buildConsolePath('runtime', { runtimeId: id }));
            }}
          />
        )}
      </DialogButton>
    ) : null;
  const columns: readonly Column<Runtime>[] = [
    { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
    { name: 'Enforcement', show: ({ enforcement }) => <EnforcementPill status={enforcement.status} /> },
    { name: 'Connection', show: ({ connection }) => HEALTH_WORDS[connection.health] },
    { name: 'Open findings', show: describeFindings },
    { name: 'Kind', show: ({ kind }) => KIND_WORDS[kind] },
    { name: 'Environment', show: ({ environment_id }) => getEnvironmentLabel(environment_id, environments ?? []) },
    { name: 'Verified', show: ({ enforcement: { assessed_at } }) => (assessed_at === null ? 'Never' : <Time at={assessed_at} />) },
  ];
  return (
    <ConsolePage title="Runtimes" actions={register}>
      <Text>A runtime is where an agent runs, such as an n8n instance or an editor. Verification looks for ways around the service.</Text>
      {mayRegister ? null : <MissingPermission needs="runtime:manage" to="register runtimes" />}
      <Posture />
      <ListTable
        label="Runtimes"
        list={list}
        columns={columns}
        pathOf={({ id }) => buildConsolePath('runtime', { runtimeId: id })}
        empty="No runtimes yet. Register the first place in which an agent runs."
        emptyAction={register}
      />
    </ConsolePage>
  );
};
