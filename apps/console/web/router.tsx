import { ServiceError } from '@svc/client/errors.ts';
import { CONSOLE_ROUTES, type ConsoleRoute, type ConsoleRouteName } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { may } from './data/permissions.ts';
import type { Session } from './data/session.ts';
import { useSession } from './data/use-session.ts';
import { Problem } from './design/problem.tsx';
import { Skeleton } from './design/skeleton.tsx';
import { ConsolePage, HOME } from './layout/console-page.tsx';
import { PublicPage } from './layout/public-page.tsx';
import { Shell } from './layout/shell.tsx';
import { SignOut } from './layout/sign-out.tsx';
import { matchRoute, needsDocument } from './match-route.ts';
import { PAGES } from './routes.ts';

type Loaded = (props: { readonly params: object; readonly session?: Session }) => ReactNode;
type RoutedProps = { readonly name: ConsoleRouteName; readonly params: object };

const NOT_LOADED = new ServiceError({
  code: 'NOT_LOADED',
  message: 'This page did not load.',
  remedy: 'Reload it; the service may have been updated meanwhile.',
});

const loaders = PAGES as unknown as Readonly<Record<ConsoleRouteName, () => Promise<Loaded>>>;

/** Pages without inputs of the library. The card of an approval is opened on phones, from a message. */
const LIGHT_PAGES: readonly ConsoleRouteName[] = ['approval'];

const loadPage = async (name: ConsoleRouteName): Promise<Loaded> => {
  if (LIGHT_PAGES.includes(name)) return loaders[name]();
  const [Page, { withInputs }] = await Promise.all([loaders[name](), import('./design/inputs-root.tsx')]);
  return withInputs(Page);
};

type Script = { readonly name: ConsoleRouteName; readonly Page?: Loaded };

/** Returns the component of a page: undefined until its script is loaded, 'failed' if it cannot be. */
const useLoaded = (name: ConsoleRouteName): Loaded | 'failed' | undefined => {
  const [script, setScript] = useState<Script>();
  useEffect(() => {
    loadPage(name).then(
      (Page) => setScript({ name, Page }),
      () => setScript({ name }),
    );
  }, [name]);
  if (script?.name !== name) return undefined;
  return script.Page ?? 'failed';
};

const Alone = ({ title, error }: { readonly title: string; readonly error: ServiceError }): ReactNode => (
  <PublicPage title={title}>
    <Problem error={error} />
  </PublicPage>
);

const PublicRoute = ({ name, params }: RoutedProps): ReactNode => {
  const Page = useLoaded(name);
  if (Page === 'failed') return <Alone title={CONSOLE_ROUTES[name].name} error={NOT_LOADED} />;
  return Page === undefined ? null : <Page params={params} />;
};

const NotPermitted = ({ route }: { readonly route: ConsoleRoute }): ReactNode => {
  const message = `Your role cannot view ${route.name.toLowerCase()}.`;
  const remedy = 'Ask an administrator of your organization for a role that can.';
  return (
    <ConsolePage title={route.name}>
      <Problem error={new ServiceError({ code: 'PERMISSION_DENIED', message, remedy, details: { permission: route.permission } })} />
    </ConsolePage>
  );
};

type ContentProps = RoutedProps & { readonly route: ConsoleRoute; readonly session: Session };

const Content = ({ name, params, route, session }: ContentProps): ReactNode => {
  const Page = useLoaded(name);
  if (!may(session, route.permission)) return <NotPermitted route={route} />;
  if (Page === undefined) return <Skeleton lines={6} />;
  return Page === 'failed' ? (
    <Problem error={NOT_LOADED} />
  ) : (
    <Page key={JSON.stringify([name, params])} params={params} session={session} />
  );
};

const SessionRoute = ({ name, params }: RoutedProps): ReactNode => {
  const route: ConsoleRoute = CONSOLE_ROUTES[name];
  const { session, mustEnrol, error } = useSession(route.beforeFactor === true);
  if (error) return <Alone title={route.name} error={error} />;
  if (!session) return <Skeleton lines={6} />;
  const content = <Content name={name} params={params} route={route} session={session} />;
  if (route.access === 'bare') {
    return (
      <>
        {content}
        <footer className="narrow-page">
          <SignOut />
        </footer>
      </>
    );
  }
  return mustEnrol ? <main className="alone">{content}</main> : <Shell session={session}>{content}</Shell>;
};

const NotFound = (): ReactNode => (
  <PublicPage title="Page not found">
    <p>
      The address may be mistyped, or the page may have moved. <a href={HOME}>Go to the overview</a>
    </p>
  </PublicPage>
);

/** Returns the path of a link to another page of the console; undefined for links that the browser opens itself. */
const internalPath = (event: MouseEvent): string | undefined => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link?.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return undefined;
  if (link.pathname === location.pathname && link.hash !== '') return undefined;
  const match = matchRoute(link.pathname);
  return match === undefined || needsDocument(link.pathname) ? undefined : `${link.pathname}${link.search}${link.hash}`;
};

/** Opens links to other pages of the console without loading the document again. */
const useClientNavigation = (navigate: (path: string) => void): void =>
  useEffect(() => {
    const onClick = (event: MouseEvent): void => {
      const path = internalPath(event);
      if (path === undefined) return;
      event.preventDefault();
      navigate(path);
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, [navigate]);

/** Shows the page of the address. Former addresses redirect to the present ones, with their query and fragment. */
export const ConsoleRouter = (): ReactNode => {
  const [path, navigate] = useLocation();
  useClientNavigation(navigate);
  const match = matchRoute(path);
  const redirectTo = match && 'redirectTo' in match ? match.redirectTo : undefined;
  useEffect(() => {
    if (redirectTo !== undefined) navigate(`${redirectTo}${location.search}${location.hash}`, { replace: true });
  }, [redirectTo, navigate]);
  if (match === undefined) return <NotFound />;
  if ('redirectTo' in match) return null;
  const isPublic = CONSOLE_ROUTES[match.name].access === 'public';
  return isPublic ? <PublicRoute key={match.name} {...match} /> : <SessionRoute {...match} />;
};
