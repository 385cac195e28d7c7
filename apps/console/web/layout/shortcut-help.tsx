import { CONSOLE_ROUTES, type ConsoleRoute } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { may } from '../data/permissions.ts';
import type { Session } from '../data/session.ts';
import { Button } from '../design/kit.tsx';

const ROUTES: readonly ConsoleRoute[] = Object.values(CONSOLE_ROUTES);

type Shortcut = { readonly keys: string; readonly does: string };

/** The keys that work on every page. */
export const ShortcutHelp = ({ session, onClose }: { readonly session: Session; readonly onClose: () => void }): ReactNode => {
  const pages = ROUTES.flatMap(({ chord, name, permission }) =>
    chord === undefined || !may(session, permission) ? [] : [{ keys: chord, does: `Open ${name}` }],
  );
  const shortcuts: readonly Shortcut[] = [
    ...pages,
    { keys: 'Ctrl K', does: 'Search or jump' },
    { keys: '[', does: 'Collapse or expand the menu' },
    { keys: '?', does: 'Show shortcuts' },
  ];
  return (
    <>
      <dl className="shortcuts">
        {shortcuts.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Button mt="md" variant="default" onClick={onClose}>
        Close
      </Button>
    </>
  );
};
