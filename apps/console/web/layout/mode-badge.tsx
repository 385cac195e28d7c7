import { CONSOLE_ROUTES } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { may } from '../data/permissions.ts';
import type { Session } from '../data/session.ts';
import { useOperation } from '../data/use-operation.ts';
import { StatusPill, type Tone } from '../design/status-pill.tsx';

const LIVE_MS = 60_000;

type Environments = readonly { readonly type: string; readonly mode: string; readonly paused: boolean }[];

/** The modes of all environments in a few words: what is paused, and which production environments do not enforce. */
const modeText = (environments: Environments): readonly [Tone, string] => {
  const paused = environments.filter(({ paused: isPaused }) => isPaused).length;
  if (paused > 0) return ['blocked', `${paused} paused`];
  const loose = environments.filter(({ type, mode }) => type === 'PRODUCTION' && mode !== 'ENFORCE').length;
  if (loose > 0) return ['held', `${loose} in production not enforcing`];
  return environments.every(({ mode }) => mode === 'ENFORCE') ? ['allowed', 'Enforcing'] : ['allowed', 'Production enforcing'];
};

/** The enforcement modes, visible on every page. */
export const ModeBadge = ({ session }: { readonly session: Session }): ReactNode => {
  const { data } = useOperation('listEnvironments', {}, { isEnabled: may(session, 'environment:read'), everyMs: LIVE_MS });
  if (data === undefined || data.length === 0) return null;
  const [tone, text] = modeText(data);
  return (
    <a className="mode-badge" href={CONSOLE_ROUTES.overview.path}>
      <StatusPill tone={tone}>{text}</StatusPill>
    </a>
  );
};
