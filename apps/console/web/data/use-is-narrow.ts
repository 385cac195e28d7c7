import { useSyncExternalStore } from 'react';

const NARROW = matchMedia('(max-width: 600px)');

const subscribe = (onChange: () => void): (() => void) => {
  NARROW.addEventListener('change', onChange);
  return () => NARROW.removeEventListener('change', onChange);
};

/** True on phones, for what the style sheet alone cannot lay out. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => NARROW.matches);
