import type { ConsoleRouteName } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useEffect, useState } from 'react';

type Icons = typeof import('./icons.tsx');

let loaded: Icons | undefined;

/** The icon of a page in the menu; decoration only, since the name is next to it or is its label. Its place is kept until it is loaded. */
export const RouteIcon = ({ name }: { readonly name: ConsoleRouteName }): ReactNode => {
  const [icons, setIcons] = useState(loaded);
  useEffect(() => {
    // A menu without icons is complete.
    if (icons === undefined)
      void Promise.allSettled([import('./icons.tsx')]).then(([result]) => {
        if (result.status !== 'fulfilled') return;
        loaded = result.value;
        setIcons(loaded);
      });
  }, [icons]);
  return icons === undefined ? <svg width={16} height={16} aria-hidden /> : <icons.LoadedIcon name={name} />;
};
