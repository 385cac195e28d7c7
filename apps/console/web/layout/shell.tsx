import { CONSOLE_ROUTES, type ConsoleRoute, type MenuGroup } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { setColourScheme } from '../data/colour-scheme.ts';
import type { Session } from '../data/session.ts';
import { Dialog } from '../design/dialog.tsx';
import { MenuGlyph, PanelGlyph, SearchGlyph } from '../design/glyphs.tsx';
import { lazyPart } from '../design/lazy-part.tsx';
import { openPath } from '../match-route.ts';
import { getMenuItems, type MenuItem } from './menu-items.ts';
import { ModeBadge } from './mode-badge.tsx';
import { PRODUCT } from './page-title.ts';
import { Palette } from './palette.tsx';
import type { PaletteEntry } from './palette-entries.ts';
import { RouteIcon } from './route-icon.tsx';
import { ScopeSwitch, useChooseScope } from './scope-switch.tsx';
import { SignOut, signOut } from './sign-out.tsx';
import { useChords } from './use-chords.ts';
import { useMenuState } from './use-menu-state.ts';
import { usePaletteKey } from './use-palette-key.ts';

const Shortcuts = lazyPart(async () => (await import('./shortcut-help.tsx')).ShortcutHelp);

const HEADINGS: Readonly<Record<MenuGroup, string>> = {
  main: '',
  control: 'Control',
  record: 'Record',
  settings: 'Settings',
  developer: 'Developer',
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
      <PanelGlyph size={18} />
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
      <SearchGlyph size={16} />
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
      <MenuGlyph size={16} />
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
  const chooseScope = useChooseScope();
  const choose = ({ path: to, command, scope }: PaletteEntry): void => {
    setOpened(command === 'shortcuts' ? 'shortcuts' : undefined);
    if (to !== undefined) openPath(to, navigate);
    if (scope !== undefined) chooseScope(scope);
    if (command === 'light' || command === 'dark' || command === 'auto') setColourScheme(command);
    if (command === 'menu') toggle();
    if (command === 'copy-link') void Promise.allSettled([Promise.resolve().then(() => navigator.clipboard.writeText(location.href))]);
    if (command === 'calls') document.querySelector<HTMLButtonElement>('.page-foot button')?.click();
    if (command === 'sign-out') void signOut();
  };
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
        <Dialog title="Search or jump" onClose={() => setOpened(undefined)}>
          <Palette session={session} onChoose={choose} />
        </Dialog>
      ) : null}
      {opened === 'shortcuts' ? (
        <Dialog title="Keyboard shortcuts" onClose={() => setOpened(undefined)}>
          <Shortcuts session={session} onClose={() => setOpened(undefined)} />
        </Dialog>
      ) : null}
    </div>
  );
};
