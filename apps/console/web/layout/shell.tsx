import { CONSOLE_ROUTES, type ConsoleRoute, type MenuGroup } from '@svc/contract/tables/console-routes.ts';
import { Menu as MenuIcon, PanelLeft, Search } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Session } from '../data/session.ts';
import { Dialog } from '../design/dialog.tsx';
import { openPath } from '../match-route.ts';
import { RouteIcon } from './icons.tsx';
import { getMenuItems, type MenuItem } from './menu-items.ts';
import { ModeBadge } from './mode-badge.tsx';
import { PRODUCT } from './page-title.ts';
import { Palette } from './palette.tsx';
import { ScopeSwitch } from './scope-switch.tsx';
import { ShortcutHelp } from './shortcut-help.tsx';
import { SignOut } from './sign-out.tsx';
import { useChords } from './use-chords.ts';
import { useMenuState } from './use-menu-state.ts';
import { usePaletteKey } from './use-palette-key.ts';

const HEADINGS: Readonly<Record<MenuGroup, string>> = {
  main: '',
  control: 'Control',
  record: 'Record',
  settings: 'Settings',
  personal: 'You',
};
const GROUPS = Object.keys(HEADINGS) as MenuGroup[];
/** Pages of the phone's bottom bar. */
const BAR_MAX = 3;

type LinkProps = { readonly item: MenuItem; readonly path: string };

const MenuLink = ({ item: { name, route }, path }: LinkProps): ReactNode => (
  <a href={route.path} title={route.name} aria-current={path === route.path || path.startsWith(`${route.path}/`) ? 'page' : undefined}>
    <RouteIcon name={name} />
    <span>{route.name}</span>
  </a>
);

const Groups = ({ session, path }: { readonly session: Session; readonly path: string }): ReactNode =>
  GROUPS.map((group) => {
    const items = getMenuItems(session, group);
    return items.length === 0 ? null : (
      <section key={group} aria-label={HEADINGS[group] || 'Main'}>
        {HEADINGS[group] === '' ? null : <h2>{HEADINGS[group]}</h2>}
        <ul>
          {items.map((item) => (
            <li key={item.name}>
              <MenuLink item={item} path={path} />
            </li>
          ))}
        </ul>
      </section>
    );
  });

const listChords = (navigate: (path: string) => void): Readonly<Record<string, () => void>> =>
  Object.fromEntries(
    Object.values(CONSOLE_ROUTES as Readonly<Record<string, ConsoleRoute>>).flatMap(({ chord, path }) =>
      chord === undefined ? [] : [[chord, () => openPath(path, navigate)]],
    ),
  );

type TopBarProps = {
  readonly session: Session;
  readonly isCollapsed: boolean;
  readonly onToggle: () => void;
  readonly onSearch: () => void;
};

const TopBar = ({ session, isCollapsed, onToggle, onSearch }: TopBarProps): ReactNode => (
  <header className="top-bar">
    <button type="button" className="icon-button menu-toggle" aria-label={isCollapsed ? 'Expand menu' : 'Collapse menu'} onClick={onToggle}>
      <PanelLeft size={18} aria-hidden />
    </button>
    <a className="product" href={CONSOLE_ROUTES.overview.path}>
      {PRODUCT}
    </a>
    <span className="organization">
      <bdi>{session.organization.name}</bdi>
    </span>
    <ScopeSwitch />
    <ModeBadge session={session} />
    <button type="button" className="search-button" aria-haspopup="dialog" onClick={onSearch}>
      <Search size={16} aria-hidden />
      <span>
        Search <kbd>Ctrl</kbd> <kbd>K</kbd>
      </span>
    </button>
    <SignOut />
  </header>
);

type BottomBarProps = { readonly session: Session; readonly path: string; readonly onMore: () => void };

const BottomBar = ({ session, path, onMore }: BottomBarProps): ReactNode => (
  <nav className="bottom-bar" aria-label="Main pages">
    {getMenuItems(session, 'main')
      .slice(0, BAR_MAX)
      .map((item) => (
        <MenuLink key={item.name} item={item} path={path} />
      ))}
    <button type="button" onClick={onMore}>
      <MenuIcon size={16} aria-hidden />
      <span>More</span>
    </button>
  </nav>
);

type ShellProps = { readonly session: Session; readonly children: ReactNode };

/** Layout of every page of a signed-in person: top bar, menu, and on phones a bar at the bottom. */
export const Shell = ({ session, children }: ShellProps): ReactNode => {
  const [path, navigate] = useLocation();
  const { isCollapsed, toggle } = useMenuState();
  const [opened, setOpened] = useState<'menu' | 'shortcuts' | 'palette'>();
  const content = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useChords({ ...listChords(navigate), '[': toggle, '?': () => setOpened('shortcuts') });
  usePaletteKey(() => setOpened('palette'));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another path
  useEffect(() => {
    setOpened(undefined);
    if (!isFirst.current) content.current?.focus();
    isFirst.current = false;
  }, [path]);
  return (
    <div className="shell" data-collapsed={isCollapsed || undefined}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <TopBar session={session} isCollapsed={isCollapsed} onToggle={toggle} onSearch={() => setOpened('palette')} />
      <nav className="menu" aria-label="Pages">
        <Groups session={session} path={path} />
      </nav>
      <main id="content" ref={content} tabIndex={-1}>
        {children}
      </main>
      <BottomBar session={session} path={path} onMore={() => setOpened('menu')} />
      {opened === 'menu' ? (
        <Dialog title="Pages" onClose={() => setOpened(undefined)}>
          <nav className="menu-dialog" aria-label="All pages">
            <Groups session={session} path={path} />
          </nav>
        </Dialog>
      ) : null}
      {opened === 'palette' ? (
        <Palette
          session={session}
          onClose={() => setOpened(undefined)}
          onOpen={(to) => {
            setOpened(undefined);
            openPath(to, navigate);
          }}
        />
      ) : null}
      {opened === 'shortcuts' ? <ShortcutHelp session={session} onClose={() => setOpened(undefined)} /> : null}
    </div>
  );
};
