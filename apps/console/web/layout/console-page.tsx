import { buildConsolePath, CONSOLE_ROUTES, type ConsoleRoute } from '@svc/contract/tables/console-routes.ts';
import { getGuidePath } from '@svc/contract/tables/guides.ts';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'wouter';
import { Stack, Title } from '../design/kit.tsx';
import { UnstatedProblem } from '../design/problem.tsx';
import { matchRoute } from '../match-route.ts';
import { PageCalls } from './page-calls.tsx';
import { formatPageTitle } from './page-title.ts';

/** A step back from a page about one thing to the list of its kind. */
export type Parent = { readonly name: string; readonly path: string };

type ConsolePageProps = {
  readonly title: string;
  /** The list that the page belongs to. */
  readonly parent?: Parent;
  /** Buttons of the whole page, at the right of its title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A link to the guide of the current page, in a new tab so that a form keeps its input. */
const GuideLink = (): ReactNode => {
  const [path] = useLocation();
  const match = matchRoute(path);
  const route: ConsoleRoute | undefined = match !== undefined && 'name' in match ? CONSOLE_ROUTES[match.name] : undefined;
  return route?.guide === undefined ? null : (
    <a href={getGuidePath(route.guide)} target="_blank" rel="noopener">
      Guide
    </a>
  );
};

/** The content of a page inside the shell: its title, the way back, its actions and what it shows. */
export const ConsolePage = ({ title, parent, actions, children }: ConsolePageProps): ReactNode => {
  useEffect(() => {
    document.title = formatPageTitle(title);
  }, [title]);
  return (
    <>
      <div className="page-bar">
        <div>
          {parent === undefined ? null : (
            <nav aria-label="Breadcrumb">
              <a href={parent.path}>{parent.name}</a>
            </nav>
          )}
          <Title order={1} size="h2">
            {title}
          </Title>
        </div>
        <div className="page-actions">
          <GuideLink />
          {actions}
        </div>
      </div>
      <Stack className="page-content">
        <UnstatedProblem />
        {children}
      </Stack>
      <PageCalls />
    </>
  );
};

/** Page after signing in. */
export const HOME = buildConsolePath('overview');
