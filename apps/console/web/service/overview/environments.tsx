import type { ReactNode } from 'react';
import { useEnvironments } from '../../data/environments.ts';
import { getEnvironmentLabel } from '../../data/scope-options.ts';
import { useOperation } from '../../data/use-operation.ts';
import { MODE_MEANING, ModePill } from '../../design/mode-pill.tsx';
import { Panel } from '../../design/panel.tsx';

/** The mode of each environment. */
export const Environments = (): ReactNode => {
  const labels = useEnvironments() ?? [];
  const { data } = useOperation('listEnvironments', {});
  return (
    <Panel title="Environments">
      {data?.length === 0 ? <p>There are no environments yet.</p> : null}
      <ul className="rows">
        {data?.map(({ id, type, mode, paused, paused_reason }) => (
          <li key={id}>
            <span>
              <bdi>{getEnvironmentLabel(id, labels)}</bdi> <span className="quiet-text">{type.toLowerCase()}</span>
            </span>
            <span>
              <ModePill mode={mode} isPaused={paused} /> <bdi className="quiet-text">{paused ? paused_reason : MODE_MEANING[mode]}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
