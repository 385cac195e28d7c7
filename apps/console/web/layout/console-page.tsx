import { Stack, Title } from '@mantine/core';
import { consolePath } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useEffect } from 'react';
import { titleOf } from './page-title.ts';

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

/** The content of a page inside the shell: its title, the way back, its actions and what it shows. */
export const ConsolePage = ({ title, parent, actions, children }: ConsolePageProps): ReactNode => {
  useEffect(() => {
    document.title = titleOf(title);
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
        <div className="page-actions">{actions}</div>
      </div>
      <Stack className="page-content">{children}</Stack>
    </>
  );
};

/** Where a person lands after signing in. */
export const HOME = consolePath('overview');
