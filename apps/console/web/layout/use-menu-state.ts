import { useState } from 'react';

const KEY = 'svc-menu-collapsed';

/** The browser's privacy settings may forbid storage; the menu is then expanded at each visit. */
const storage = (): Storage | undefined => {
  try {
    return localStorage;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
};

/** True if the menu shows icons only; stored in this browser. */
export const useMenuState = (): { readonly isCollapsed: boolean; readonly toggle: () => void } => {
  const [isCollapsed, setCollapsed] = useState(() => storage()?.getItem(KEY) === '1');
  const toggle = (): void => {
    storage()?.setItem(KEY, isCollapsed ? '0' : '1');
    setCollapsed(!isCollapsed);
  };
  return { isCollapsed, toggle };
};
