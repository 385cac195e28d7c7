import { CONSOLE_ROUTES } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { may } from '../data/permissions.ts';
import { EVERYTHING, useScope } from '../data/scope.ts';
import type { Session } from '../data/session.ts';
import { useOperation } from '../data/use-operation.ts';
import { StatusPill, type Tone } from '../design/status-pill.tsx';

const LIVE_MS = 60_000;

type Environments = readonly {
  readonly id: string;
  readonly workspace_id: string;
  readonly type: string;
  readonly mode: string;
  readonly paused: boolean;
}[];

const ONE: Readonly<Record<string, readonly [Tone, string]>> = {
  ENFORCE: ['allowed', 'Enforcing'],
  SIMULATE: ['held', 'Simulating'],
  OBSERVE: ['held', 'Observing'],
};

/** The modes of environments in a few words: what is paused, and which production environments do not enforce. */
const modeText = (environments: Environments): readonly [Tone, string] => {
  const [only, ...others] = environments;
  if (only !== undefined && others.length === 0 && !only.paused) return ONE[only.mode] ?? ['unknown', only.mode];
  const paused = environments.filter(({ paused: isPaused }) => isPaused).length;
  if (paused > 0) return ['blocked', `${paused} paused`];
  const loose = environments.filter(({ type, mode }) => type === 'PRODUCTION' && mode !== 'ENFORCE').length;
  if (loose > 0) return ['held', `${loose} in production not enforcing`];
  return environments.every(({ mode }) => mode === 'ENFORCE') ? ['allowed', 'Enforcing'] : ['allowed', 'Production enforcing'];
};

/** The enforcement modes of the chosen scope, visible on every page. */
export const ModeBadge = ({ session }: { readonly session: Session }): ReactNode => {
  const { data } = useOperation('listEnvironments', {}, { isEnabled: may(session, 'environment:read'), everyMs: LIVE_MS });
  const { scope } = useScope();
  const chosen = data?.filter(({ id, workspace_id }) => scope === EVERYTHING || scope === id || scope === workspace_id) ?? [];
  const shown = chosen.length === 0 ? (data ?? []) : chosen;
  if (shown.length === 0) return null;
  const [tone, text] = modeText(shown);
  return (
    <a className="mode-badge" href={CONSOLE_ROUTES.overview.path}>
      <StatusPill tone={tone}>{text}</StatusPill>
    </a>
  );
};
