const KEY = 'svc-colours';
const DARK = matchMedia('(prefers-color-scheme: dark)');

export type ColourScheme = 'light' | 'dark' | 'auto';

/** The browser's privacy settings may forbid storage; the colours are then those of the system at each visit. */
const storage = (): Storage | undefined => {
  try {
    return localStorage;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
};

/** The choice of the person in this browser; that of the system without one. */
export const getColourScheme = (): ColourScheme => {
  const kept = storage()?.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
};

const show = (): void => {
  const chosen = getColourScheme();
  const shown = chosen === 'auto' ? (DARK.matches ? 'dark' : 'light') : chosen;
  document.documentElement.setAttribute('data-mantine-color-scheme', shown);
};

/** Shows the chosen colours, and follows the system where it chooses. */
export const applyColourScheme = (): void => {
  show();
  DARK.addEventListener('change', show);
};

/** Shows these colours from now on, in this browser. */
export const setColourScheme = (scheme: ColourScheme): void => {
  storage()?.setItem(KEY, scheme);
  show();
};
